/** The pair a ratio route was asked for. */
import type { RatioPair, TierName } from "@assay/contract";
import { RATIO_LEGS, readRatioPair } from "@assay/pricing";
import { completeness } from "../market/completeness.ts";
import type { MarketView } from "../market/market-view.ts";

/** Parses a pair's name and refuses an unknown one. */
export const requirePair = (text: string, fail: (code: "unknown_pair") => never): RatioPair =>
  readRatioPair(text) ?? fail("unknown_pair");

/** The fields naming an answer's pair, as JSON without its braces. */
export const pairFields = (pair: RatioPair): string => {
  const { numerator, denominator } = RATIO_LEGS[pair];
  return `"pair":"${pair}","numerator":"${numerator}","denominator":"${denominator}","interval":"1d"`;
};

/** An answer's fields besides its points, as JSON. */
export const ratioMeta = (tier: TierName, count: number, isComplete: boolean): string =>
  `"meta":${JSON.stringify({ tier, count, ...completeness(isComplete) })}`;

/** Whether no close of either leg is still being filled in, between two days, inclusive. */
export const hasAllCloses = ({ bars }: Pick<MarketView, "bars">, pair: RatioPair, fromMs: number, toMs: number): boolean =>
  [RATIO_LEGS[pair].numerator, RATIO_LEGS[pair].denominator].every((symbol) =>
    bars.isComplete({ symbol, interval: "1d", fromMs, toMs }),
  );
