/** The scripts of the open streams. */
import { script, yes } from "./script.ts";

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
