/** One venue's view of one horizon, whatever it trades. */
import type { SurfaceFlag, SurfaceVenueType } from "@assay/contract";

/** A quoted strike. */
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
