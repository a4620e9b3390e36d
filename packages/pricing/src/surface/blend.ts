/** Venues' views of one horizon, whatever they trade, and their blend. */
import type { SurfaceFlag, SurfaceVenueType } from "@assay/contract";

export interface QuotedPoint {
  /** USD per troy ounce. */
  readonly strike: number;
  /** The probability of ending above it from the venue's own prices, before smoothing: may be non-monotonic. */
  readonly rawProbAbove: number;
}

/** One venue's view of one horizon. */
export interface VenueCurve {
  readonly venue: string;
  readonly type: SurfaceVenueType;
  readonly expiresAtMs: number;
  /** The fitted probability of ending above a strike in USD per troy ounce; non-increasing, defined everywhere. */
  readonly probAbove: (strike: number) => number;
  /** The quoted strikes, ascending. */
  readonly quoted: readonly QuotedPoint[];
  /** Uncertainty of a probability, from its quotes. */
  readonly halfWidth: number;
  /** The forward in USD per troy ounce; null where the venue has none. */
  readonly forwardUsd: number | null;
  /** Dollars traded; null where the venue does not say. */
  readonly volumeUsd: number | null;
  readonly retrievedAtMs: number;
  readonly flags: readonly SurfaceFlag[];
}

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
