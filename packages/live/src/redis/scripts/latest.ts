/** The script of the latest documents. */
import { script, yes } from "./script.ts";

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
