/** The dealers' quotes one process knows. */
import type { PhysicalCountry } from "@assay/contract";
import type { ProductQuote } from "@assay/pricing";

/** A quote that passed the gate, and when it was last read. */
export interface HeldQuote {
  readonly quote: ProductQuote;
  readonly fetchedAtMs: number;
  /** The last instant at which it is fresh. */
  readonly freshUntilMs: number;
}

/** What the physical verbs read. */
export interface DealersView {
  /** Looks when dealers were last read, unless that was done within the second. */
  refresh(nowMs: number): Promise<void>;
  /** The latest quote of every product of a country, by product; one that was not read for a week has gone. */
  quotes(country: PhysicalCountry, nowMs: number): readonly HeldQuote[];
  /** Sources of a country that fail, in words. */
  errors(country: PhysicalCountry, nowMs: number): readonly string[];
}
