/** The scripts that load and take back counts of calls. */
import { countScript } from "./readable.ts";
import { yes } from "./script.ts";
import { COUNT_MOVING, COUNTS_EXPIRE_SECONDS } from "./settlement.ts";

/** keys: month, deltas; values: day, delta field. Takes one call back, if one was counted that day. */
export const refundCall = countScript(
  `local _, today = readMonth(KEYS[1], ARGV[1])
if today <= 0 then return 0 end
redis.call('HINCRBY', KEYS[1], 'month', -1)
redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
call('unsettled calls', 'HINCRBY', KEYS[2], ARGV[2], -1)
return 1`,
  yes,
);

/**
 * keys: month, deltas, batches in transit, number arrived; values: day, stored today, stored month, number arrived before the
 * store was read (-1 to skip that check), an id for this load, the month and day counts as last seen by the process, today's
 * delta field, every delta field of the month. Returns the counts and their load, or null when a batch was in transit meanwhile.
 */
export const seedCounts = countScript(
  `local month, day, loading = readMonth(KEYS[1], ARGV[1])
if loading ~= '' then return { month, day, loading } end
if tonumber(ARGV[4]) >= 0 then
  if ${COUNT_MOVING("KEYS[3]")} > 0 or readMoved(KEYS[4]) ~= tonumber(ARGV[4]) then return nil end
end
local function unsettled(field) return whole(call('unsettled calls', 'HGET', KEYS[2], field)) or 0 end
month, day = tonumber(ARGV[3]), math.max(ARGV[2] + unsettled(ARGV[8]), tonumber(ARGV[7]))
for i = 9, #ARGV do month = month + unsettled(ARGV[i]) end
month = math.max(month, tonumber(ARGV[6]))
redis.call('HSET', KEYS[1], 'seeded', ARGV[5], 'month', month, ARGV[1], day)
redis.call('EXPIRE', KEYS[1], ${COUNTS_EXPIRE_SECONDS})
return { month, day, ARGV[5] }`,
  (reply: [number, number, string] | null) => (reply ? { thisMonth: reply[0], today: reply[1], loading: reply[2] } : null),
);
