/** Inputs decoded before: many callers ask in the same words, and what those mean never changes. */
import { LRUCache } from "lru-cache";
import type { Decoder } from "./decode.ts";

/** Inputs kept per route, and the longest words worth keeping. */
const MAX_INPUTS = 500;
const MAX_CHARACTERS = 512;

/**
 * Puts a memory before a decoder that reads path and query only.
 * @param decode the decoder; what it refuses is not kept
 * @returns a decoder whose inputs are frozen, because they are shared
 */
export const keepingInputs = (decode: Decoder): Decoder => {
  const kept = new LRUCache<string, object>({ max: MAX_INPUTS });
  return (raw) => {
    // Without a query there is too little to decode for a memory to pay.
    if (raw.query === "" || raw.query.length > MAX_CHARACTERS) return decode(raw);
    const inPath = Object.values(raw.path);
    const asked = inPath.length === 0 ? raw.query : JSON.stringify([raw.query, inPath]);
    const known = kept.get(asked);
    if (known) return known;
    const input = Object.freeze(decode(raw) as object); // a route's input is an object
    kept.set(asked, input);
    return input;
  };
};
