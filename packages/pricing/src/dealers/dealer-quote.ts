/** Buy and sell prices of bullion dealers. */
import type { DealerForm, DealerKind, DealerWeightUnit, DecimalText, PhysicalCountry } from "@assay/contract";

/** A dealer's price of one product, in the dealer's currency for its whole weight, with the published digits. */
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
  /** What a customer pays; null where it is not published. */
  readonly sell: DecimalText | null;
  /** What a customer is paid; null where it is not published. */
  readonly buyback: DecimalText | null;
  /** When the dealer published it, epoch milliseconds. */
  readonly observedAtMs: number;
}

/** A quote with all product details. */
export interface ProductQuote extends DealerQuote {
  /** Stable for the same product of the same source. */
  readonly id: string;
  readonly kind: DealerKind;
  readonly metal: "XAU";
  readonly form: DealerForm;
  /** A share of 1, or parts of 1000, as the dealer states it; null where only karat is stated. */
  readonly fineness: DecimalText | null;
  readonly taxIncluded: boolean;
  /** The page it is published on. */
  readonly sourceUrl: string;
}

/** A changed quote, as stored and published: `seq` rises by one per country, across restarts, writers and processes. */
export interface DealerTick extends ProductQuote {
  readonly seq: number;
  /** When it was first read with these figures, epoch milliseconds. */
  readonly fetchedAtMs: number;
}

/**
 * A quote without details: a dealer's reference price, with its karat's purity and no tax included.
 * @param quote the quote
 */
export const asProduct = (quote: DealerQuote): ProductQuote => ({
  ...quote,
  id: [quote.source, quote.dealer, quote.product, quote.karat, quote.weight, quote.weightUnit].join(":"),
  kind: "dealer",
  metal: "XAU",
  form: "reference",
  fineness: null,
  taxIncluded: false,
  sourceUrl: "",
});
