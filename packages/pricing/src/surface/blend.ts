/** Blends several venues' views of one horizon. */
import type { VenueCurve } from "./venue-curve.ts";

/** A blended view. */
export interface Blend {
  readonly curves: readonly VenueCurve[];
  /** The weight of each curve, adding up to 1. */
  readonly shares: readonly number[];
  /** The probability of ending above a strike; non-increasing. */
  readonly probAbove: (strike: number) => number;
  /** USD per troy ounce; null when no venue knows a forward. */
  readonly forwardUsd: number | null;
  /** Uncertainty of a probability: the weighted mean of the venues' own. */
  readonly halfWidth: number;
}

/** The minimum uncertainty of a venue, half a point, so that one very tight book does not outweigh all others. */
const LEAST_HALF_WIDTH = 0.005;

/**
 * Blends the views of one horizon, each weighted by 1 / halfWidth²: how cheaply its probabilities can be traded. The weights are
 * the same at every strike, so that the blend is non-increasing like its parts.
 * @param curves one per venue
 * @returns null without curves
 */
export const blendOf = (curves: readonly VenueCurve[]): Blend | null => {
  const weights = curves.map(({ halfWidth }) => 1 / Math.max(halfWidth, LEAST_HALF_WIDTH) ** 2);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return null;
  const shares = weights.map((weight) => weight / total);
  const mean = (figureOf: (curve: VenueCurve) => number): number =>
    curves.reduce((sum, curve, index) => sum + (shares[index] ?? 0) * figureOf(curve), 0);
  const known = shares.filter((_, index) => curves[index]?.forwardUsd !== null).reduce((sum, share) => sum + share, 0);
  return {
    curves,
    shares,
    probAbove: (strike) => mean((curve) => curve.probAbove(strike)),
    forwardUsd: known === 0 ? null : mean((curve) => curve.forwardUsd ?? 0) / known,
    halfWidth: mean(({ halfWidth }) => halfWidth),
  };
};
