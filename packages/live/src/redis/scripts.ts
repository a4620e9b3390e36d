/** The Lua scripts Assay runs in Redis, each atomic. Times are the Redis server's. */
import { type CommandParser, defineScript } from "@redis/client";

/** Forty days: longer than any month, so that a month's counts do not expire early. */
const COUNTS_EXPIRE_SECONDS = 40 * 86_400;

/** How long a drained batch whose reply was lost can be requested again. */
const BATCH_EXPIRE_SECONDS = 86_400;

/** How long a batch may be in transit to the store; a process that is silent for longer was killed. */
const SETTLEMENT_SECONDS = 10;

/** Declares a script and how its reply is parsed. The number of keys varies, so it is sent with them. */
const script = <Reply>(lua: string, read: (reply: never) => Reply) =>
  defineScript({
    SCRIPT: lua,
    parseCommand(parser: CommandParser, names: readonly string[], values: readonly (string | number)[]) {
      parser.push(String(names.length));
      for (const name of names) parser.pushKey(name);
      for (const value of values) parser.push(String(value));
    },
    transformReply: (reply: unknown): Reply => read(reply as never), // the reply is the script's return value
  });

/** A boolean: scripts return 1 or 0. */
const yes = (reply: number): boolean => reply === 1;

/** keys: lease, counter; values: holder, ttlMs, floor. Returns the token, or null while another holds the lease. */
const acquireLease = script(
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
const renewLease = script(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`,
  yes,
);

/** keys: lease; values: token:holder. Returns 1 when it was released. */
const releaseLease = script(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`,
  yes,
);

/** keys: lease. Returns token:holder and the milliseconds left, or null. */
const readLease = script(
  `local standing = redis.call('GET', KEYS[1])
if not standing then return nil end
return { standing, redis.call('PTTL', KEYS[1]) }`,
  (reply: [written: string, leftMs: number] | null) => (reply ? { written: reply[0], leftMs: reply[1] } : null),
);

/** keys: document; values: value, token, atMs. Returns 1 when it was stored. */
const putLatest = script(
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
const publishEvent = script(
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

/** Counts, and the load they are based on: empty while they do not include the stored ones. */
const counts = (today = 0, thisMonth = 0, loading = "") => ({ today, thisMonth, loading, isSeeded: loading !== "" });

/** keys: month; values: day. */
const readCounts = script(
  `local counts = redis.call('HMGET', KEYS[1], 'month', ARGV[1], 'seeded')
return { tonumber(counts[1] or '0'), tonumber(counts[2] or '0'), counts[3] or '' }`,
  ([thisMonth, today, loading]: [number, number, string]) => counts(today, thisMonth, loading),
);

/**
 * keys: month, deltas; values: day, delta field, quota, 1 to require loaded counts, then what the process last saw of the month:
 * its load, month and day. Counts one call unless the quota is used up. Counts from another load were lost and reloaded without
 * the unsettled calls: they are raised to what was last seen.
 */
const reserveCall = script(
  `local counts = redis.call('HMGET', KEYS[1], 'month', ARGV[1], 'seeded')
if not counts[3] and ARGV[4] == '1' then return { -1, 0, 0, '' } end
local month, today, loading = tonumber(counts[1] or '0'), tonumber(counts[2] or '0'), counts[3] or ''
if loading ~= '' and ARGV[5] ~= '' and ARGV[5] ~= loading then
  month, today = math.max(month, tonumber(ARGV[6])), math.max(today, tonumber(ARGV[7]))
  redis.call('HSET', KEYS[1], 'month', month, ARGV[1], today)
end
if month >= tonumber(ARGV[3]) then return { 0, today, month, loading } end
month = redis.call('HINCRBY', KEYS[1], 'month', 1)
today = redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
if not counts[1] then redis.call('EXPIRE', KEYS[1], ${COUNTS_EXPIRE_SECONDS}) end
return { 1, today, month, loading }`,
  ([allowed, today, thisMonth, loading]: [number, number, number, string]) => ({
    ...counts(today, thisMonth, loading),
    isCounted: allowed >= 0,
    allowed: allowed === 1,
  }),
);

/** keys: month, deltas; values: day, delta field. Takes one call back, if one was counted that day. */
const refundCall = script(
  `if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') <= 0 then return 0 end
redis.call('HINCRBY', KEYS[1], 'month', -1)
redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
return 1`,
  yes,
);

/** Drops batches whose process has been silent for too long, and returns how many are in transit. */
const COUNT_MOVING = (moving: string): string => `(function()
  local time = redis.call('TIME')
  redis.call('ZREMRANGEBYSCORE', ${moving}, '-inf', time[1])
  return redis.call('ZCARD', ${moving})
end)()`;

/** keys: batches in transit, number arrived. */
const readSettlements = script(
  `return { ${COUNT_MOVING("KEYS[1]")}, tonumber(redis.call('GET', KEYS[2]) or '0') }`,
  ([moving = 0, moved = 0]: number[]) => ({ moving, moved }),
);

/**
 * keys: month, deltas, batches in transit, number arrived; values: day, stored today, stored month, number arrived before the
 * store was read (-1 to skip that check), an id for this load, the month and day counts as last seen by the process, today's
 * delta field, every delta field of the month. Returns the counts, or null when a batch was in transit meanwhile.
 */
const seedCounts = script(
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

/**
 * keys: deltas, this batch, batches in transit. Takes all deltas and marks them as in transit; requesting the same batch again
 * returns the same deltas.
 */
const takeDeltas = script(
  `if redis.call('EXISTS', KEYS[2]) == 0 and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('RENAME', KEYS[1], KEYS[2])
  redis.call('EXPIRE', KEYS[2], ${BATCH_EXPIRE_SECONDS})
end
local taken = redis.call('HGETALL', KEYS[2])
if #taken > 0 then
  redis.call('ZADD', KEYS[3], redis.call('TIME')[1] + ${SETTLEMENT_SECONDS}, KEYS[2])
  redis.call('EXPIRE', KEYS[3], ${BATCH_EXPIRE_SECONDS})
end
return taken`,
  (taken: string[]) => taken,
);

/** keys: this batch, batches in transit, number arrived. Records that the store, or its process, has a batch. */
const noteSettled = script(
  `redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], KEYS[1])
return redis.call('INCR', KEYS[3])`,
  (moved: number) => moved,
);

/**
 * keys: batch marker, deltas, then one month per counted call group; values: how many groups, then day and calls of each group,
 * then field and calls of each delta. Adds calls counted outside Redis, once per batch.
 */
const absorbCounts = script(
  `if not redis.call('SET', KEYS[1], 1, 'NX', 'EX', ${BATCH_EXPIRE_SECONDS}) then return 0 end
local groups = tonumber(ARGV[1])
for i = 1, groups do
  redis.call('HINCRBY', KEYS[2 + i], 'month', ARGV[2 * i + 1])
  redis.call('HINCRBY', KEYS[2 + i], ARGV[2 * i], ARGV[2 * i + 1])
  if redis.call('TTL', KEYS[2 + i]) < 0 then redis.call('EXPIRE', KEYS[2 + i], ${COUNTS_EXPIRE_SECONDS}) end
end
for i = 2 + 2 * groups, #ARGV, 2 do redis.call('HINCRBY', KEYS[2], ARGV[i], ARGV[i + 1]) end
return 1`,
  yes,
);

/** keys: window; values: its length in ms, limit. Counts one request unless the window is full; an unused window has its whole length left. */
const countInWindow = script(
  `local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then left = tonumber(ARGV[1]) end
if used >= tonumber(ARGV[2]) then return { 0, used, left } end
if used == 0 then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) else redis.call('INCR', KEYS[1]) end
return { 1, used + 1, left }`,
  ([allowed, used = 0, leftMs = 0]: number[]) => ({ allowed: allowed === 1, used, leftMs }),
);

/** keys: window; values: its length in ms. */
const readWindow = script(
  `local left = redis.call('PTTL', KEYS[1])
if left < 0 then return { 0, tonumber(ARGV[1]) } end
return { tonumber(redis.call('GET', KEYS[1])), left }`,
  ([used = 0, leftMs = 0]: number[]) => ({ used, leftMs }),
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
const takePlace = script(
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
const countPlaces = script(`${COUNT_PLACES}\nreturn open`, (open: number) => open);

/** keys: this process; values: its life in ms. Returns 0 when it was unknown; it becomes known once its places are restored. */
const keepProcess = script(`return redis.call('SET', KEYS[1], 1, 'XX', 'PX', ARGV[1]) and 1 or 0`, yes);

/**
 * keys: this process, then places of organisations; values: this process's life in ms and name, then a place and its key for
 * each. Restores what Redis has lost, atomically with the process itself: places of an unknown process are dropped.
 */
const restorePlaces = script(
  `redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
for i = 2, #KEYS do
  redis.call('HSET', KEYS[i], ARGV[2 * i - 1], ARGV[2] .. '|' .. ARGV[2 * i])
  redis.call('EXPIRE', KEYS[i], ${PLACES_EXPIRE_SECONDS})
end
return #KEYS`,
  (restored: number) => restored,
);

/** Every script, by its name on the client. */
export const scripts = {
  acquireLease,
  renewLease,
  releaseLease,
  readLease,
  putLatest,
  publishEvent,
  readCounts,
  countInWindow,
  readWindow,
  reserveCall,
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
