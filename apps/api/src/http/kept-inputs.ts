/** Keeps decoded inputs: many requests are identical, and what they mean never changes. */
import type { Decoder, RawParameters } from "./decode.ts";

/**
 * Decodes the same parameters once, for as long as they are kept.
 * @param decode a decoder that reads only path and query; refusals are not kept
 * @returns a decoder whose inputs are frozen, because they are shared
 */
export const keepingInputs = (decode: Decoder): Decoder => {
  const kept = new WeakMap<RawParameters, object>();
  return (raw, fail) => {
    const known = kept.get(raw);
    if (known) return known;
    const input = Object.freeze(decode(raw, fail) as object); // a route's input is an object
    kept.set(raw, input);
    return input;
  };
};
