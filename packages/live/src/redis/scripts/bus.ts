/** The script of the bus. */
import { script } from "./script.ts";

/**
 * keys: stream, tail; values: event, maximum events kept, ids to skip. Returns the event's id. Ids are epoch-number: numbers are
 * consecutive, so a reader detects that it missed one; a new epoch means that the stream was recreated.
 */
export const publishEvent = script(
  `local tail = redis.call('GET', KEYS[2])
local epoch, number
if tail then
  epoch, number = string.match(tail, '^(%d+)-(%d+)$')
else
  local time = redis.call('TIME')
  epoch = time[1] .. string.format('%03d', math.floor(tonumber(time[2]) / 1000))
  number = '0'
  local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if last then
    local after = tonumber(string.match(last[1], '^(%d+)-')) + 1
    if after > tonumber(epoch) then epoch = string.format('%.0f', after) end
  end
end
local id = epoch .. '-' .. string.format('%.0f', tonumber(number) + 1 + tonumber(ARGV[3]))
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], id, 'event', ARGV[1])
redis.call('SET', KEYS[2], id)
return id`,
  (id: string) => id,
);
