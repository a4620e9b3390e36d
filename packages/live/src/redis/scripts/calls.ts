/** The script that counts calls against their windows and months. */
import { script } from "./script.ts";
import { COUNTS_EXPIRE_SECONDS } from "./settlement.ts";

/**
 * Counts groups of equal calls, one group after another; within a group as if its calls came one by one.
 *
 * keys: deltas, then for each group its window and its month, as far as it has them; values, for each group: how many calls, and
 * what it has: `w` for a window, then `r` for a month to read, `l` for one to count in if its counts are loaded, `a` for one to count
 * in regardless; of the window: length in ms, limit; of the month: day, delta field, quota, and what the process last saw of it: its
 * load, month and day.
 *
 * As many calls as the window has room for are counted in it, and as many of those as the quota has room for in the month. Counts
 * from another load were lost and reloaded without the unsettled calls: they are raised to what was last seen.
 *
 * Returns for each group, as far as it has them: requests in the window before, ms left of it; calls counted in the month, counts
 * of day and month before, and their load, which is empty while they do not include the stored ones.
 */
export const countCalls = script(
  `local reply, key, at = {}, 2, 1
while at <= #ARGV do
  local calls, has = tonumber(ARGV[at]), ARGV[at + 1]
  at = at + 2
  if string.sub(has, 1, 1) == 'w' then
    local name, length, limit = KEYS[key], ARGV[at], tonumber(ARGV[at + 1])
    key, at, has = key + 1, at + 2, string.sub(has, 2)
    local used = tonumber(redis.call('GET', name) or '0')
    local left = redis.call('PTTL', name)
    if left < 0 then left = tonumber(length) end
    calls = math.max(0, math.min(calls, limit - used))
    if calls > 0 then
      if used == 0 then redis.call('SET', name, calls, 'PX', length) else redis.call('SET', name, used + calls, 'KEEPTTL') end
    end
    reply[#reply + 1] = used
    reply[#reply + 1] = left
  end
  if has ~= '' then
    local name, day, quota, last = KEYS[key], ARGV[at], tonumber(ARGV[at + 2]), ARGV[at + 3]
    local counts = redis.call('HMGET', name, 'month', day, 'seeded')
    local month, today, loading = tonumber(counts[1] or '0'), tonumber(counts[2] or '0'), counts[3] or ''
    if loading ~= '' and last ~= '' and last ~= loading then
      month, today = math.max(month, tonumber(ARGV[at + 4])), math.max(today, tonumber(ARGV[at + 5]))
      redis.call('HSET', name, 'month', month, day, today)
    end
    local counted = 0
    if has == 'a' or (has == 'l' and counts[3]) then counted = math.max(0, math.min(calls, quota - month)) end
    if counted > 0 then
      redis.call('HSET', name, 'month', month + counted, day, today + counted)
      redis.call('HINCRBY', KEYS[1], ARGV[at + 1], counted)
      if not counts[1] then redis.call('EXPIRE', name, ${COUNTS_EXPIRE_SECONDS}) end
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
