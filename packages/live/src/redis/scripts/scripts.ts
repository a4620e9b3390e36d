/**
 * Every Lua script by its name on the client: those of the lease, the latest documents, the bus and the open streams; those of
 * the counts have their own file.
 */
import {
  absorbCounts,
  countCalls,
  noteSettled,
  readSettlements,
  readWindow,
  refundCall,
  seedCounts,
  takeDeltas,
} from "./counts.ts";
import { script, yes } from "./script.ts";

/** keys: lease, counter; values: holder, ttlMs, floor. Returns the token, or null while another holds the lease. */
export const acquireLease = script(
  `local standing = redis.call('GET', KEYS[1])
if standing and string.match(standing, '^%d+:(.*)$') ~= ARGV[1] then return nil end
local token = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[3])) + 1
token = string.format('%.0f', token)
redis.call('SET', KEYS[2], token)
if standing then redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], token .. ':' .. ARGV[1], 'NX', 'PX', ARGV[2])
return tonumber(token)`,
  (token: number | null) => token,
);

/** keys: lease; values: token:holder, ttlMs. Returns 1 when it was extended. */
export const renewLease = script(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  yes,
);

/** keys: lease; values: token:holder. Returns 1 when it was released. */
export const releaseLease = script(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
  yes,
);

/** keys: document; values: value, token, atMs. Returns 1 when it was stored. */
export const putLatest = script(
  `local standing = redis.call('HMGET', KEYS[1], 'token', 'at')
if standing[1] then
  local token, at = tonumber(standing[1]), tonumber(standing[2])
  if token > tonumber(ARGV[2]) or (token == tonumber(ARGV[2]) and at > tonumber(ARGV[3])) then return 0 end
end
redis.call('HSET', KEYS[1], 'value', ARGV[1], 'token', ARGV[2], 'at', ARGV[3])
return 1`,
  yes,
);

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

/** Thirty days: longer than any stream lives, so that data of an unused organisation expires. */
const PLACES_EXPIRE_SECONDS = 30 * 86_400;

/**
 * Counts the places of an organisation whose processes are alive, and drops the others; `open` is the key's count, `all` the
 * organisation's, `quiet` the shortest remaining life of any other owner. A place is stored as owner|key.
 */
const COUNT_PLACES = `local fields = redis.call('HGETALL', KEYS[1])
local open, all, quiet = 0, 0, -1
for i = 1, #fields, 2 do
  local owner, key = string.match(fields[i + 1], '^([^|]*)|(.*)$')
  local left = redis.call('PTTL', ARGV[1] .. owner)
  if left < 0 then
    redis.call('HDEL', KEYS[1], fields[i])
  else
    all = all + 1
    if key == ARGV[3] then open = open + 1 end
    if owner ~= ARGV[2] and (quiet < 0 or left < quiet) then quiet = left end
  end
end`;

/**
 * keys: places of the organisation, this process; values: prefix of process names, this process's name, the key, this process's
 * life in ms, the place, the key's limit, the organisation's limit, and 1 when the process already holds any. Returns whether it
 * was taken, the key's open count, the shortest remaining life of another owner (-1 for none), and 0 when this process holds
 * places but was unknown: they must be restored first, and nothing was taken.
 */
export const takePlace = script(
  `if ARGV[8] == '1' and redis.call('EXISTS', KEYS[2]) == 0 then return { 0, 0, -1, 0 } end
redis.call('SET', KEYS[2], 1, 'PX', ARGV[4])
${COUNT_PLACES}
if open >= tonumber(ARGV[6]) or all >= tonumber(ARGV[7]) then return { 0, open, quiet, 1 } end
redis.call('HSET', KEYS[1], ARGV[5], ARGV[2] .. '|' .. ARGV[3])
redis.call('EXPIRE', KEYS[1], ${PLACES_EXPIRE_SECONDS})
return { 1, open + 1, quiet, 1 }`,
  ([taken, open = 0, quiet = -1, known]: number[]) => ({ isTaken: taken === 1, open, quietMs: quiet, isKnown: known === 1 }),
);

/** keys: places of the organisation; values: prefix of process names, this process's name, the key. */
export const countPlaces = script(`${COUNT_PLACES}\nreturn open`, (open: number) => open);

/** keys: this process; values: its life in ms. Returns 0 when it was unknown; it becomes known once its places are restored. */
export const keepProcess = script(`return redis.call('SET', KEYS[1], 1, 'XX', 'PX', ARGV[1]) and 1 or 0`, yes);

/**
 * keys: this process, then places of organisations; values: this process's life in ms and name, then a place and its key for
 * each. Restores what Redis has lost, atomically with the process itself: places of an unknown process are dropped.
 */
export const restorePlaces = script(
  `redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
for i = 2, #KEYS do
  redis.call('HSET', KEYS[i], ARGV[2 * i - 1], ARGV[2] .. '|' .. ARGV[2 * i])
  redis.call('EXPIRE', KEYS[i], ${PLACES_EXPIRE_SECONDS})
end
return #KEYS`,
  (restored: number) => restored,
);

export const scripts = {
  acquireLease,
  renewLease,
  releaseLease,
  putLatest,
  publishEvent,
  countCalls,
  readWindow,
  refundCall,
  seedCounts,
  readSettlements,
  takeDeltas,
  noteSettled,
  absorbCounts,
  takePlace,
  countPlaces,
  keepProcess,
  restorePlaces,
} as const;
