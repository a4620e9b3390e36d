/** The strikes of a surface: the quoted ones, and round ones between and beyond. */
import type { DecimalText } from "@assay/contract";
import type { Blend } from "./blend.ts";
import { priceText, strikeBelow } from "./percentiles.ts";

/** One strike of a surface. */
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
