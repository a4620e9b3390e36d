#!/bin/sh
# Replaces the processes of deploy/compose.yaml by those of a new image, one at a time, so that no request fails; `up` alone replaces
# them all at once. Its options go to Compose: deploy/upgrade.sh --profile monitoring
set -eu
cd "$(dirname "$0")"
compose() { docker compose -f compose.yaml "$@"; }

compose up --detach --wait postgres valkey
for task in migrate roles redis-roles; do compose run --rm --no-deps "$task"; done
# A writer that stops hands over to the other; a stream's clients resume at the other.
for process in writer-2 writer-1 stream-1 stream-2 api-1 api-2; do
  compose up --detach --no-deps --wait "$process"
done
# The rest: what is new or has changed, such as the proxy.
compose "$@" up --detach --wait
