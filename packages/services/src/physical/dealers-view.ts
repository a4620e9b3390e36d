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
  /** The latest quote of every product of a country, in the order of its sources. */
  quotes(country: PhysicalCountry): readonly HeldQuote[];
  /** Sources of a country that fail, in words. */
  errors(country: PhysicalCountry): readonly string[];
}
