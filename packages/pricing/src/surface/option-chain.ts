/** Option chains, as feeds report them. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";

/** Bid and ask of one option. */
export interface OptionQuote {
  readonly right: "call" | "put";
  /** In USD per unit of the underlying. */
  readonly strike: DecimalText;
  /** USD per unit of the underlying; null without a bid. */
  readonly bid: DecimalText | null;
  /** USD per unit of the underlying; null without an offer. */
  readonly ask: DecimalText | null;
  /** Units of the underlying traded today; null where the venue does not say. */
  readonly volume: DecimalText | null;
}

/** The options of one expiry. */
export interface OptionExpiry {
  readonly expiresAtMs: number;
  readonly quotes: readonly OptionQuote[];
}

/** Every option of one venue on one underlying. */
export interface OptionChain {
  readonly venue: string;
  readonly metal: SurfaceMetal;
  /** American options are treated as European ones, which the answer states. */
  readonly style: "european" | "american";
  /** What the options are on, for example SLV, in USD at the chain's own moment. */
  readonly underlying: string;
  readonly underlyingUsd: DecimalText;
  /** The metal's spot in USD per troy ounce at that moment: strikes are scaled by spot / underlying. */
  readonly spotUsdPerOzt: DecimalText;
  readonly expiries: readonly OptionExpiry[];
  readonly retrievedAtMs: number;
}
