/** The script that reads a request window. */
import { script } from "./script.ts";

/** keys: window; values: its length in ms. */
export const readWindow = script(
  `local left = redis.call('PTTL', KEYS[1])
if left < 0 then return { 0, tonumber(ARGV[1]) } end
return { tonumber(redis.call('GET', KEYS[1])), left }`,
  ([used = 0, leftMs = 0]: number[]) => ({ used, leftMs }),
);
