#!/bin/sh
# Makes the secrets of deploy/compose.yaml in deploy/secrets: passwords, the addresses that hold them, and the key of receipts.
# Secrets that exist are kept, so it may run again after an upgrade. Needs openssl.
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
for name in api stream writer operator; do
  keep "${name}_redis_password" "$(random)"
  keep "${name}_redis_url" "redis://assay_$name:$(cat "${name}_redis_password")@valkey:6379"
done
keep valkey_password "$(random)"
keep grafana_password "$(random)"

# The key that signs receipts, as `assay signing-keys rotate` makes it: the last 32 bytes of each half in base64url.
half() { tail -c 32 | base64 | tr -d '=\n' | tr '+/' '-_'; }
if [ ! -s signing_keys ]; then
  openssl genpkey -algorithm ed25519 -outform DER -out signing_key.der
  private=$(half <signing_key.der)
  public=$(openssl pkey -inform DER -in signing_key.der -pubout -outform DER | half)
  rm signing_key.der
  keep signing_keys "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"$public\",\"d\":\"$private\"}]}"
fi
