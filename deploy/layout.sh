#!/bin/sh
# Lays out everything Assay needs at run time in an empty folder: the bundled command, the files it reads, and the two packages
# that are not bundled because they read files of their own. The image is this tree on top of Node; `npm run build` comes first.
#   deploy/layout.sh /srv/assay
set -eu
target=${1:?usage: deploy/layout.sh FOLDER}
cd "$(dirname "$0")/.."
[ -f apps/cli/dist/bundle/assay.js ] || { echo 'there is no apps/cli/dist/bundle/assay.js: run npm run build first' >&2; exit 1; }
mkdir -p "$target"
target=$(cd "$target" && pwd)
[ -z "$(ls -A "$target")" ] || { echo "$target is not empty" >&2; exit 1; }

# Copies files and folders to the same place below the target.
take() {
  for path in "$@"; do
    mkdir -p "$target/$(dirname "$path")"
    cp -RL "$path" "$target/$path"
  done
}

take LICENSE apps/cli/package.json apps/cli/bin apps/cli/dist/bundle
# What modules read beside their own place in the repository.
take packages/db/migrations packages/db/dist/new-database apps/writer/dist/prepared-history
take apps/api/assets apps/console/dist docs/guides docs/errors
take node_modules/@assay/contract/package.json node_modules/@assay/contract/generated
# The embedded database, without its extensions, type declarations and source maps.
pglite=node_modules/@electric-sql/pglite
take "$pglite"/package.json $pglite/LICENSE $pglite/dist/pglite.data
for file in "$pglite"/dist/*.js "$pglite"/dist/*.wasm "$pglite"/dist/fs/*.js; do take "$file"; done
# The reference page's library.
swagger=node_modules/swagger-ui-dist
take $swagger/package.json $swagger/LICENSE $swagger/NOTICE $swagger/absolute-path.js \
  $swagger/swagger-ui-bundle.js $swagger/swagger-ui-bundle.js.LICENSE.txt $swagger/swagger-ui.css
# Any user may run it: files made by the build, such as the new database, are readable by their maker alone.
chmod -R a+rX,go-w "$target"
