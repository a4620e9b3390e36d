/** How far a horizon can be relied on: written rules, no judgement. */
import type { Confidence } from "@assay/contract";
import type { Blend } from "./blend.ts";
import type { Percentiles } from "./percentiles.ts";

/** What a level asks for. */
interface Rule {
  readonly level: Confidence;
  /** Two-sided quotes at least. */
  readonly quotes: number;
  /** How far a probability may be off at most. */
  readonly halfWidth: number;
  /** The percentiles that must lie within the quoted strikes. */
  readonly within: readonly [keyof Percentiles, keyof Percentiles];
}

const RULES: readonly Rule[] = [
  { level: "high", quotes: 20, halfWidth: 0.02, within: ["p10", "p90"] },
  { level: "medium", quotes: 6, halfWidth: 0.06, within: ["p25", "p75"] },
];

/** Fewer two-sided quotes, or a wider doubt about probabilities, are thin. */
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
 * Whether few trade a horizon: fewer than six two-sided quotes in all, or probabilities known no better than to 5 points.
 * @param blend the distribution
 */
export const isThin = (blend: Blend): boolean => quotesOf(blend) < THIN_QUOTES || blend.halfWidth > THIN_HALF_WIDTH;
