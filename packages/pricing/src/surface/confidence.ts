/** The confidence level of a horizon, by fixed rules. */
import type { Confidence } from "@assay/contract";
import type { Blend } from "./blend.ts";
import type { Percentiles } from "./percentiles.ts";

/** The requirements of a level. */
interface Rule {
  readonly level: Confidence;
  /** Minimum number of two-sided quotes. */
  readonly quotes: number;
  /** Maximum uncertainty of a probability. */
  readonly halfWidth: number;
  /** The percentiles that must be within the quoted strikes. */
  readonly within: readonly [keyof Percentiles, keyof Percentiles];
}

const RULES: readonly Rule[] = [
  { level: "high", quotes: 20, halfWidth: 0.02, within: ["p10", "p90"] },
  { level: "medium", quotes: 6, halfWidth: 0.06, within: ["p25", "p75"] },
];

/** Thinly traded: fewer two-sided quotes, or greater uncertainty. */
const THIN_QUOTES = 6;
const THIN_HALF_WIDTH = 0.05;

const quotesOf = ({ curves }: Blend): number => curves.reduce((sum, { quoted }) => sum + quoted.length, 0);

/**
 * The confidence in a horizon. High: 20 two-sided quotes or more, probabilities known to 2 points, p10 to p90 within the quoted
 * strikes. Medium: 6 quotes or more, 6 points, p25 to p75 within them. Low otherwise.
 * @param blend the distribution
 * @param percentiles its percentiles
 */
export const confidenceOf = (blend: Blend, percentiles: Percentiles): Confidence => {
  const strikes = blend.curves.flatMap(({ quoted }) => quoted.map(({ strike }) => strike));
  const low = Math.min(...strikes);
  const high = Math.max(...strikes);
  const met = RULES.find(
    ({ quotes, halfWidth, within: [from, to] }) =>
      strikes.length >= quotes &&
      blend.halfWidth <= halfWidth &&
      Number(percentiles[from]) >= low &&
      Number(percentiles[to]) <= high,
  );
  return met?.level ?? "low";
};

/**
 * Whether a horizon is thinly traded: fewer than six two-sided quotes in all, or probabilities known no better than to 5 points.
 * @param blend the distribution
 */
export const isThin = (blend: Blend): boolean => quotesOf(blend) < THIN_QUOTES || blend.halfWidth > THIN_HALF_WIDTH;
