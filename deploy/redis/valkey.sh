#!/bin/sh
# Valkey with the users of roles.sh, whose passwords are the secrets of deploy/compose.yaml. It stores nothing, so it is given its
# users at every start; `apply` changes those of a server that runs, as after an upgrade.
#   valkey.sh start [OPTION...]     becomes valkey-server, with these options
#   valkey.sh apply [OPTION...]     connects as valkey-cli does with these options, as the default user
set -eu
# Where Compose mounts the secrets.
secrets=${SECRETS:-/run/secrets}
password=$(cat "$secrets/valkey_password")
api=$(cat "$secrets/api_redis_password")
stream=$(cat "$secrets/stream_redis_password")
writer=$(cat "$secrets/writer_redis_password")
operator=$(cat "$secrets/operator_redis_password")
users=$(API_PASSWORD=$api STREAM_PASSWORD=$stream WRITER_PASSWORD=$writer OPERATOR_PASSWORD=$operator /bin/sh "$(dirname "$0")/roles.sh")

case ${1:-} in
  start)
    shift
    # From standard input: no password is an argument, which every process of the machine can read, or in one more file.
    exec valkey-server - "$@" <<EOF
requirepass $password
$(echo "$users" | sed 's/^ACL SETUSER/user/')
EOF
    ;;
  apply)
    shift
    answers=$(echo "$users" | REDISCLI_AUTH=$password valkey-cli "$@")
    # valkey-cli ends with 0 also when it was refused.
    [ "$(echo "$answers" | grep -cx OK)" = "$(echo "$users" | grep -c .)" ] || { echo "$answers" >&2; exit 1; }
    ;;
  *)
    echo 'usage: valkey.sh start|apply [OPTION...]' >&2
    exit 2
    ;;
esac
