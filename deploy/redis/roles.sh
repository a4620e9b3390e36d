#!/bin/sh
# Prints the commands that make a Redis user with the least rights for each kind of process, as deploy/postgres/roles.sql does for
# PostgreSQL. For Redis 7 or Valkey 8; it may be applied any number of times:
#   deploy/redis/roles.sh | redis-cli -u redis://default:PASSWORD@cache.example.com
# Passwords come from API_PASSWORD, STREAM_PASSWORD, WRITER_PASSWORD and OPERATOR_PASSWORD; without one a user keeps those it has.
# Then let Redis keep them (ACL SAVE or CONFIG REWRITE), and start each process with REDIS_URL=redis://assay_api:PASSWORD@….
set -eu

# What a connection needs, and what our scripts call. Nothing that reads the names of keys, empties Redis, or changes it.
commands='-@all +ping +hello +multi +exec +eval +evalsha +time
  +get +set +incr +del +rename +exists +expire +pexpire +ttl +pttl
  +hget +hset +hmget +hgetall +hdel +hexists +hincrby +zadd +zrem +zcard +zremrangebyscore +xadd +xread +xrevrange'

# Who leads, and what the writer reports.
reads='%R~assay:lease %R~assay:latest:*'
# Limits, usage and open streams.
counts='~assay:limit:* ~assay:usage:* ~assay:streams:*'
events='~assay:events ~assay:events:tail'
heard='%R~assay:events %R~assay:events:tail'

user() {
  name=$1 password=$2
  shift 2
  # shellcheck disable=SC2086 # several words each
  echo ACL SETUSER "assay_$name" on resetkeys resetchannels $commands "$@" ${password:+">$password"}
}

# Neither publishes: a key that an API process changes is read from the database within seconds.
user api "${API_PASSWORD:-}" $reads $counts $heard
user stream "${STREAM_PASSWORD:-}" $reads $counts $heard
user writer "${WRITER_PASSWORD:-}" '~assay:lease' '~assay:lease:token' '~assay:latest:*' $events
# For assay keys and assay import.
user operator "${OPERATOR_PASSWORD:-}" $reads $events
