/** Caches decoded inputs: many requests are identical, and what they mean never changes. */
import { LRUCache } from "lru-cache";
import type { Decoder, RawParameters } from "./decode.ts";

/** Inputs cached per route, and the longest query, with what is in the path, worth caching. */
const MAX_INPUTS = 500;
const MAX_CHARACTERS = 512;

/**
 * Adds a cache to a decoder that reads only path and query.
 * @param decode the decoder; refusals are not cached
 * @returns a decoder whose inputs are frozen, because they are shared
 */
export const keepingInputs = (decode: Decoder): Decoder => {
  const kept = new LRUCache<string, object>({ max: MAX_INPUTS });
  /** Without a query the path says it all, and its parameters are kept themselves. */
  const keptByPath = new WeakMap<RawParameters["path"], object>();
  return (raw, fail) => {
    if (raw.query === "") {
      const known = keptByPath.get(raw.path);
      if (known) return known;
      const input = Object.freeze(decode(raw, fail) as object); // a route's input is an object
      keptByPath.set(raw.path, input);
      return input;
    }
    const inPath = Object.values(raw.path);
    const asked = inPath.length === 0 ? raw.query : JSON.stringify([raw.query, inPath]);
    if (asked.length > MAX_CHARACTERS) return decode(raw, fail);
    const known = kept.get(asked);
    if (known) return known;
    const input = Object.freeze(decode(raw, fail) as object); // a route's input is an object
    kept.set(asked, input);
    return input;
  };
};
