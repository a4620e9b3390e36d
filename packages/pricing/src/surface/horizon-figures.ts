/** What is reported of a blended distribution: its percentiles, its probabilities by strike, and the confidence in it. */
import type { Confidence, DecimalText } from "@assay/contract";
import { Decimal } from "../number/exact.ts";
import { presentPrice } from "../number/present.ts";
import type { Blend } from "./blend.ts";

/** Prices in USD per troy ounce below which a share of the probability is; non-decreasing. */
export interface Percentiles {
  readonly p10: DecimalText;
  readonly p25: DecimalText;
  readonly p50: DecimalText;
  readonly p75: DecimalText;
  readonly p90: DecimalText;
}

const WIDENINGS = 60;
const HALVINGS = 44;

/**
 * Formats a price of the surface for the wire.
 * @param usd USD per troy ounce
 */
export const priceText = (usd: number): DecimalText => presentPrice(new Decimal(usd));

/**
 * The strike below which the price ends with a given probability, by bisection.
 * @param blend the distribution
 * @param below the probability, above 0 and below 1
 * @returns USD per troy ounce; null when there is no such strike
 */
export const strikeBelow = (blend: Blend, below: number): number | null => {
  const start = blend.forwardUsd ?? blend.curves[0]?.quoted[0]?.strike ?? null;
  if (start === null) return null;
  const above = 1 - below;
  let low = start;
  let high = start;
  for (let step = 0; step < WIDENINGS && blend.probAbove(low) < above; step++) low /= 1.3;
  for (let step = 0; step < WIDENINGS && blend.probAbove(high) > above; step++) high *= 1.3;
  if (blend.probAbove(low) < above || blend.probAbove(high) > above) return null;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (blend.probAbove(middle) > above) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/**
 * The five percentiles of a horizon.
 * @param blend the distribution
 * @returns null when one of them does not exist
 */
export const percentilesOf = (blend: Blend): Percentiles | null => {
  const texts = [0.1, 0.25, 0.5, 0.75, 0.9].flatMap((below) => {
    const strike = strikeBelow(blend, below);
    return strike === null ? [] : [priceText(strike)];
  });
  const [p10, p25, p50, p75, p90] = texts;
  if (p10 === undefined || p25 === undefined || p50 === undefined || p75 === undefined || p90 === undefined) return null;
  return { p10, p25, p50, p75, p90 };
};

export interface SurfacePoint {
  /** USD per troy ounce. */
  readonly strike: DecimalText;
  /** The blended probability of ending above it, six decimals. */
  readonly probAbove: number;
  /** The weighted mean of the venues' own prices; null where nobody quotes the strike. */
  readonly rawProbAbove: number | null;
  /** Venues whose quoted strikes extend to it. */
  readonly sources: readonly string[];
  /** Outside every venue's quoted strikes. */
  readonly extrapolated: boolean;
}

/** Strikes further out than this probability are omitted. */
const OUTERMOST = 0.005;
/** Approximate number of round strikes. */
const ROUND_STRIKES = 40;

/** The next larger round step: 1, 2 or 5 times a power of ten. */
const roundStep = (width: number): number => {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= width) ?? 10 * power;
};

const roundStrikes = (low: number, high: number): number[] => {
  const step = roundStep((high - low) / ROUND_STRIKES);
  const from = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - from + 1) }, (_, index) => (from + index) * step);
};

const six = (probability: number): number => Math.round(probability * 1e6) / 1e6;

/**
 * The points of a horizon, ascending by strike: every quoted strike and about forty round ones with a probability of 0.5 % to
 * 99.5 %. Each probability is for the strike as formatted.
 * @param blend the distribution
 */
export const surfacePoints = (blend: Blend): SurfacePoint[] => {
  const low = strikeBelow(blend, OUTERMOST);
  const high = strikeBelow(blend, 1 - OUTERMOST);
  if (low === null || high === null || high <= low) return [];
  const raw = new Map<DecimalText, { sum: number; shares: number }>();
  blend.curves.forEach(({ quoted }, index) => {
    const share = blend.shares[index] ?? 0;
    for (const { strike, rawProbAbove } of quoted) {
      const text = priceText(strike);
      const held = raw.get(text) ?? { sum: 0, shares: 0 };
      raw.set(text, { sum: held.sum + share * rawProbAbove, shares: held.shares + share });
    }
  });
  const texts = new Set([...raw.keys(), ...roundStrikes(low, high).map(priceText)]);
  return [...texts]
    .map((text) => ({ text, strike: Number(text) }))
    .filter(({ strike }) => strike >= low && strike <= high)
    .sort((a, b) => a.strike - b.strike)
    .map(({ text, strike }) => {
      const held = raw.get(text);
      const reaching = blend.curves.filter(
        ({ quoted }) => strike >= (quoted[0]?.strike ?? Number.POSITIVE_INFINITY) && strike <= (quoted.at(-1)?.strike ?? 0),
      );
      return {
        strike: text,
        probAbove: six(blend.probAbove(strike)),
        rawProbAbove: held ? six(held.sum / held.shares) : null,
        sources: reaching.map(({ venue }) => venue),
        extrapolated: reaching.length === 0 && !held,
      };
    });
};

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
