/** What bullion dealers ask and pay. */
import type { DecimalText, PhysicalCountry } from "@assay/contract";
import type { DealerWeightUnit } from "./units.ts";

/** A dealer's price of one product, in the dealer's currency for its whole weight; the published digits. */
export interface DealerQuote {
  readonly source: string;
  readonly country: PhysicalCountry;
  readonly dealer: string;
  readonly product: string;
  /** Purity in parts of 24. */
  readonly karat: number;
  readonly weight: DecimalText;
  readonly weightUnit: DealerWeightUnit;
  /** ISO 4217. */
  readonly currency: string;
  /** What a customer pays; null where the dealer does not say. */
  readonly sell: DecimalText | null;
  /** What a customer is paid; null where the dealer does not say. */
  readonly buyback: DecimalText | null;
  /** When the dealer said so, epoch milliseconds. */
  readonly observedAtMs: number;
}

/** A quote that changed, as it is published: `seq` rises by one per country, across restarts, writers and processes. */
export interface DealerTick extends DealerQuote {
  readonly seq: number;
}
