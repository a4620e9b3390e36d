/** The scripts that move counted calls from Redis to the store. */
import { countScript } from "./readable.ts";
import { yes } from "./script.ts";

/** Forty days: longer than any month, so that a month's counts do not expire early. */
export const COUNTS_EXPIRE_SECONDS = 40 * 86_400;

/** How long a drained batch whose reply was lost can be requested again. */
const BATCH_EXPIRE_SECONDS = 86_400;

/** How long a batch may be in transit to the store; a process that is silent for longer was killed. */
const SETTLEMENT_SECONDS = 10;

/** Drops batches whose process has been silent for too long, and returns how many are in transit. */
export const COUNT_MOVING = (moving: string): string => `(function()
  local time = redis.call('TIME')
  call('settlements', 'ZREMRANGEBYSCORE', ${moving}, '-inf', time[1])
  return redis.call('ZCARD', ${moving})
end)()`;

/** keys: batches in transit, number arrived. */
export const readSettlements = countScript(
  `return { ${COUNT_MOVING("KEYS[1]")}, readMoved(KEYS[2]) }`,
  ([moving = 0, moved = 0]: number[]) => ({ moving, moved }),
);

/**
 * keys: deltas, this batch, batches in transit. Takes all deltas and marks them as in transit; requesting the same batch again
 * returns the same deltas.
 */
export const takeDeltas = countScript(
  `if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('EXPIRE', KEYS[2], ${BATCH_EXPIRE_SECONDS})
end
local taken = call('unsettled calls', 'HGETALL', KEYS[2])
for i = 2, #taken, 2 do
  if not whole(taken[i]) then
    drop('unsettled calls', 'HSET', KEYS[2], taken[i - 1], 0)
    taken[i] = '0'
  end
end
if #taken > 0 then
  call('settlements', 'ZADD', KEYS[3], redis.call('TIME')[1] + ${SETTLEMENT_SECONDS}, KEYS[2])
  redis.call('EXPIRE', KEYS[3], ${BATCH_EXPIRE_SECONDS})
end
return taken`,
  (taken: string[]) => taken,
);

/** keys: this batch, batches in transit, number arrived. Records that the store, or its process, has a batch. */
export const noteSettled = countScript(
  `redis.call('DEL', KEYS[1])
call('settlements', 'ZREM', KEYS[2], KEYS[1])
return call('settlements', 'INCR', KEYS[3])`,
  (moved: number) => moved,
);

/**
 * keys: batch marker, deltas, then one month per counted call group; values: how many groups, then day and calls of each group,
 * then field and calls of each delta. Adds calls counted outside Redis, once per batch.
 */
export const absorbCounts = countScript(
  `if not redis.call('SET', KEYS[1], 1, 'NX', 'EX', ${BATCH_EXPIRE_SECONDS}) then return 0 end
local groups = tonumber(ARGV[1])
for i = 1, groups do
  readMonth(KEYS[2 + i], ARGV[2 * i])
  redis.call('HINCRBY', KEYS[2 + i], 'month', ARGV[2 * i + 1])
  redis.call('HINCRBY', KEYS[2 + i], ARGV[2 * i], ARGV[2 * i + 1])
  if redis.call('TTL', KEYS[2 + i]) < 0 then redis.call('EXPIRE', KEYS[2 + i], ${COUNTS_EXPIRE_SECONDS}) end
end
for i = 2 + 2 * groups, #ARGV, 2 do call('unsettled calls', 'HINCRBY', KEYS[2], ARGV[i], ARGV[i + 1]) end
return 1`,
  yes,
);
