/** What bullion dealers ask and pay. */
import type { DealerForm, DealerKind, DealerWeightUnit, DecimalText, PhysicalCountry } from "@assay/contract";

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

/** A quote with all that is known of the product. */
export interface ProductQuote extends DealerQuote {
  /** The same for the same product of the same source. */
  readonly id: string;
  readonly kind: DealerKind;
  readonly metal: "XAU";
  readonly form: DealerForm;
  /** A share of 1, or parts of 1000, as the dealer states it; null where only karat is. */
  readonly fineness: DecimalText | null;
  readonly taxIncluded: boolean;
  /** Where it is published. */
  readonly sourceUrl: string;
}

/** A quote that changed, as it is stored and published: `seq` rises by one per country, across restarts, writers and processes. */
export interface DealerTick extends ProductQuote {
  readonly seq: number;
  /** When it was first read with these figures, epoch milliseconds. */
  readonly fetchedAtMs: number;
}

/**
 * A quote of which no more is known: a dealer's reference price, as its karat says, with no tax in it.
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
