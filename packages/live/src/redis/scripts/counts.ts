/** The scripts that count calls against their windows and months, load and take back counts, and move them to the store. */
import { countScript, yes } from "./script.ts";

/** Forty days: longer than any month, so that a month's counts do not expire early. */
const COUNTS_EXPIRE_SECONDS = 40 * 86_400;

/** How long a drained batch whose reply was lost can be requested again. */
const BATCH_EXPIRE_SECONDS = 86_400;

/** How long a batch may be in transit to the store; a process that is silent for longer was killed. */
const SETTLEMENT_SECONDS = 10;

/** Drops batches whose process has been silent for too long, and returns how many are in transit. */
const countMoving = (moving: string): string => `(function()
  local time = redis.call('TIME')
  call('settlements', 'ZREMRANGEBYSCORE', ${moving}, '-inf', time[1])
  return redis.call('ZCARD', ${moving})
end)()`;

/** keys: batches in transit, number arrived. */
export const readSettlements = countScript(
  `return { ${countMoving("KEYS[1]")}, readMoved(KEYS[2]) }`,
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
  if ${countMoving("KEYS[3]")} > 0 or readMoved(KEYS[4]) ~= tonumber(ARGV[4]) then return nil end
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

/**
 * Counts groups of equal calls, one group after another; within a group as if its calls came one by one.
 *
 * keys: deltas, then for each group its windows and its month, as far as it has them; values, for each group: how many calls, how many
 * windows, and what is done with its month: empty without one, `r` to read it, `l` to count in it if its counts are loaded, `a` to
 * count in it regardless; of each window: length in ms, limit; of the month: day, delta field, quota, and what the process last saw of
 * it: its load, month and day.
 *
 * As many calls as all windows have room for are counted in them, and as many of those as the quota has room for in the month. Counts
 * from another load were lost and reloaded without the unsettled calls: they are raised to what was last seen.
 *
 * Returns for each group, as far as it has them: requests in each window before, ms left of it; calls counted in the month, counts
 * of day and month before, and their load, which is empty while they do not include the stored ones.
 */
export const countCalls = countScript(
  `local reply, key, at = {}, 2, 1
while at <= #ARGV do
  local calls, windows, mode = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2]
  at = at + 3
  local used = {}
  for i = 0, windows - 1 do
    local left
    used[i], left = readWindow(KEYS[key + i], ARGV[at + 2 * i])
    calls = math.max(0, math.min(calls, tonumber(ARGV[at + 2 * i + 1]) - used[i]))
    reply[#reply + 1] = used[i]
    reply[#reply + 1] = left
  end
  if calls > 0 then
    for i = 0, windows - 1 do
      if used[i] == 0 then redis.call('SET', KEYS[key + i], calls, 'PX', ARGV[at + 2 * i])
      else redis.call('SET', KEYS[key + i], used[i] + calls, 'KEEPTTL') end
    end
  end
  key, at = key + windows, at + 2 * windows
  if mode ~= '' then
    local name, day, quota, last = KEYS[key], ARGV[at], tonumber(ARGV[at + 2]), ARGV[at + 3]
    local month, today, loading = readMonth(name, day)
    if loading ~= '' and last ~= '' and last ~= loading then
      month, today = math.max(month, tonumber(ARGV[at + 4])), math.max(today, tonumber(ARGV[at + 5]))
      redis.call('HSET', name, 'month', month, day, today)
    end
    local counted = 0
    if mode == 'a' or (mode == 'l' and loading ~= '') then counted = math.max(0, math.min(calls, quota - month)) end
    if counted > 0 then
      redis.call('HSET', name, 'month', month + counted, day, today + counted)
      call('unsettled calls', 'HINCRBY', KEYS[1], ARGV[at + 1], counted)
      if month == 0 then redis.call('EXPIRE', name, ${COUNTS_EXPIRE_SECONDS}) end
    end
    reply[#reply + 1] = counted
    reply[#reply + 1] = today
    reply[#reply + 1] = month
    reply[#reply + 1] = loading
    key, at = key + 1, at + 6
  end
end
return reply`,
  (reply: readonly (number | string)[]) => reply,
);

/** keys: window; values: its length in ms. */
export const readWindow = countScript(`return { readWindow(KEYS[1], ARGV[1]) }`, ([used = 0, leftMs = 0]: number[]) => ({
  used,
  leftMs,
}));
