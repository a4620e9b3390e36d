/** The pair a ratio route was asked for. */
import type { RatioPair, TierName } from "@assay/contract";
import { RATIO_LEGS, readRatioPair } from "@assay/pricing";

/** Reads a pair's name and refuses one there is not. */
export const requirePair = (text: string, fail: (code: "unknown_pair") => never): RatioPair =>
  readRatioPair(text) ?? fail("unknown_pair");

/** The fields that say which pair an answer is of, as JSON without its braces. */
export const pairFields = (pair: RatioPair): string => {
  const { numerator, denominator } = RATIO_LEGS[pair];
  return `"pair":"${pair}","numerator":"${numerator}","denominator":"${denominator}","interval":"1d"`;
};

/** What is said of an answer beside its points, as JSON. */
export const ratioMeta = (tier: TierName, count: number): string => `"meta":${JSON.stringify({ tier, count })}`;
