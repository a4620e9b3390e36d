/** The scripts of the request windows. */
import { script } from "./script.ts";

/** keys: window; values: its length in ms, limit. Counts one request unless the window is full; an unused window has its whole length left. */
export const countInWindow = script(
  `local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left < 0 then left = tonumber(ARGV[1]) end
if used >= tonumber(ARGV[2]) then return { 0, used, left } end
if used == 0 then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) else redis.call('INCR', KEYS[1]) end
return { 1, used + 1, left }`,
  ([allowed, used = 0, leftMs = 0]: number[]) => ({ allowed: allowed === 1, used, leftMs }),
);

/** keys: window; values: its length in ms. */
export const readWindow = script(
  `local left = redis.call('PTTL', KEYS[1])
if left < 0 then return { 0, tonumber(ARGV[1]) } end
return { tonumber(redis.call('GET', KEYS[1])), left }`,
  ([used = 0, leftMs = 0]: number[]) => ({ used, leftMs }),
);
