/** The scripts that read, load and take back counts of calls. */
import { script, yes } from "./script.ts";
import { COUNT_MOVING, COUNTS_EXPIRE_SECONDS } from "./settlement.ts";

/** Counts, and the load they are based on: empty while they do not include the stored ones. */
const counts = (today: number, thisMonth: number, loading: string) => ({ today, thisMonth, loading });

/** keys: month; values: day. */
export const readCounts = script(
  `local counts = redis.call('HMGET', KEYS[1], 'month', ARGV[1], 'seeded')
return { tonumber(counts[1] or '0'), tonumber(counts[2] or '0'), counts[3] or '' }`,
  ([thisMonth, today, loading]: [number, number, string]) => counts(today, thisMonth, loading),
);

/** keys: month, deltas; values: day, delta field. Takes one call back, if one was counted that day. */
export const refundCall = script(
  `if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') <= 0 then return 0 end
redis.call('HINCRBY', KEYS[1], 'month', -1)
redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
return 1`,
  yes,
);

/**
 * keys: month, deltas, batches in transit, number arrived; values: day, stored today, stored month, number arrived before the
 * store was read (-1 to skip that check), an id for this load, the month and day counts as last seen by the process, today's
 * delta field, every delta field of the month. Returns the counts, or null when a batch was in transit meanwhile.
 */
export const seedCounts = script(
  `if redis.call('HEXISTS', KEYS[1], 'seeded') == 0 then
  if tonumber(ARGV[4]) >= 0 then
    local moved = tonumber(redis.call('GET', KEYS[4]) or '0')
    if ${COUNT_MOVING("KEYS[3]")} > 0 or moved ~= tonumber(ARGV[4]) then return nil end
  end
  local unsettled = 0
  for i = 9, #ARGV do unsettled = unsettled + tonumber(redis.call('HGET', KEYS[2], ARGV[i]) or '0') end
  local today = tonumber(redis.call('HGET', KEYS[2], ARGV[8]) or '0')
  local month = math.max(ARGV[3] + unsettled, tonumber(ARGV[6]))
  redis.call('HSET', KEYS[1], 'seeded', ARGV[5], 'month', month, ARGV[1], math.max(ARGV[2] + today, tonumber(ARGV[7])))
  redis.call('EXPIRE', KEYS[1], ${COUNTS_EXPIRE_SECONDS})
end
local counts = redis.call('HMGET', KEYS[1], 'month', ARGV[1], 'seeded')
return { tonumber(counts[1] or '0'), tonumber(counts[2] or '0'), counts[3] }`,
  (reply: [number, number, string] | null) => (reply ? counts(reply[1], reply[0], reply[2]) : null),
);
