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
