#!/bin/sh
# Makes the secrets of deploy/compose.yaml in deploy/secrets: passwords, and the addresses that hold them. Secrets that exist are
# kept, so it may run again after an upgrade.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# The containers' users read the files, nobody else on this machine enters the folder.
chmod 700 secrets
cd secrets

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
keep() {
  [ -s "$1" ] || printf '%s\n' "$2" >"$1"
  chmod 644 "$1"
}

for name in owner api stream writer; do
  keep "${name}_password" "$(random)"
  keep "${name}_database_url" "postgres://assay_$name:$(cat "${name}_password")@postgres:5432/assay"
done
if [ ! -s valkey_conf ]; then
  password=$(random)
  keep valkey_conf "requirepass $password"
  keep redis_url "redis://:$password@valkey:6379"
fi
keep grafana_password "$(random)"
