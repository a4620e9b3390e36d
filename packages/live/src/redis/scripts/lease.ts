/** The scripts of the writer lease. */
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

/** keys: lease. Returns token:holder and the milliseconds left, or null. */
export const readLease = script(
  `local standing = redis.call('GET', KEYS[1])
if not standing then return nil end
return { standing, redis.call('PTTL', KEYS[1]) }`,
  (reply: [written: string, leftMs: number] | null) => (reply ? { written: reply[0], leftMs: reply[1] } : null),
);
