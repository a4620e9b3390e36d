/** What one venue says of one horizon, whatever it trades. */

import type { SurfaceFlag, SurfaceVenueType } from "@assay/contract";

/** A strike somebody quotes. */
export interface QuotedPoint {
  /** USD per troy ounce. */
  readonly strike: number;
  /** The probability of ending above it that the venue's own prices state, before any smoothing: it may break the order. */
  readonly rawProbAbove: number;
}

/** One venue's view of one horizon. */
export interface VenueCurve {
  readonly venue: string;
  readonly type: SurfaceVenueType;
  readonly expiresAtMs: number;
  /** The fitted probability of ending above a strike in USD per troy ounce; never rises, defined everywhere. */
  readonly probAbove: (strike: number) => number;
  /** The quoted strikes, rising. */
  readonly quoted: readonly QuotedPoint[];
  /** How far a probability may be off, as its quotes have it. */
  readonly halfWidth: number;
  /** The forward in USD per troy ounce; null where the venue does not know one. */
  readonly forwardUsd: number | null;
  /** Dollars traded; null where the venue does not say. */
  readonly volumeUsd: number | null;
  readonly retrievedAtMs: number;
  readonly flags: readonly SurfaceFlag[];
}
