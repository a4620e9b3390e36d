/** The script that counts calls against their windows and months, and the one that reads a window. */
import { countScript } from "./readable.ts";
import { COUNTS_EXPIRE_SECONDS } from "./settlement.ts";

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
