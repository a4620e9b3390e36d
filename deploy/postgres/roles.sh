#!/bin/sh
# Applies roles.sql as the owner and gives each role its password, both read from the secrets of deploy/compose.yaml.
set -eu
{
  cat /roles.sql
  for role in api stream writer; do
    echo "alter role assay_$role password '$(tr -d "'\\\\" <"/run/secrets/${role}_password")';"
  done
} | psql "$(cat /run/secrets/owner_database_url)" --no-psqlrc --quiet --set ON_ERROR_STOP=1
