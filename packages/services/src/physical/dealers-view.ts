/** The interface to the dealers' quotes one process knows. */
import type { PhysicalCountry } from "@assay/contract";
import type { ProductQuote } from "@assay/pricing";

/** A validated quote, and when it was last read. */
export interface HeldQuote {
  readonly quote: ProductQuote;
  readonly fetchedAtMs: number;
  /** The last instant at which it is fresh. */
  readonly freshUntilMs: number;
}

/** What the physical verbs need. */
export interface DealersView {
  /** Refreshes when dealers were last read, unless that was done within the last second. */
  refresh(nowMs: number): Promise<void>;
  /** The latest quote of every product of a country, by product; one not read for a week is dropped. */
  quotes(country: PhysicalCountry, nowMs: number): readonly HeldQuote[];
  /** A country's failing sources, in words. */
  errors(country: PhysicalCountry, nowMs: number): readonly string[];
}
