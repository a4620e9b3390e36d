/** What one venue says of one horizon, whatever it trades. */

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
  readonly type: "options" | "prediction_market";
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

/** What a reader of a surface should know. */
export const SURFACE_FLAGS = [
  "european_approximation",
  "proxy_underlying",
  "discount_from_rate",
  "crosses_calendar",
  "ladder_out_of_order",
  "options_only",
  "prediction_markets_only",
] as const;
/** Something a reader of a surface should know. */
export type SurfaceFlag = (typeof SURFACE_FLAGS)[number];
