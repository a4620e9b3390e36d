/** What dealers of physical metal quote, as feeds report it: the published figures, in the dealer's own units. */
import type { DealerForm, DealerKind, DealerWeightUnit, DecimalText, PhysicalCountryCode } from "@assay/contract";

/** A dealer's latest quote of one product. */
export interface DealerQuote {
  /** The same for the same product of the same source. */
  readonly id: string;
  readonly source: string;
  readonly dealer: string;
  readonly kind: DealerKind;
  readonly country: PhysicalCountryCode;
  readonly metal: "XAU";
  /** As the dealer names it. */
  readonly product: string;
  readonly form: DealerForm;
  /** Parts of 24; null where only fineness is stated. */
  readonly karat: number | null;
  /** A share of 1, or parts of 1000, as the dealer states it; null where only karat is. */
  readonly fineness: DecimalText | null;
  /** Weight of the product the prices are for, in `weightUnit`. */
  readonly weight: DecimalText;
  readonly weightUnit: DealerWeightUnit;
  /** ISO 4217. */
  readonly currency: string;
  /** What a customer pays; null where the dealer does not say. */
  readonly sellPrice: DecimalText | null;
  /** What a customer is paid; null where the dealer does not say. */
  readonly buybackPrice: DecimalText | null;
  readonly taxIncluded: boolean;
  readonly sourceUrl: string;
  readonly quotedAtMs: number;
}

/** Whether two quotes of one product say the same, whenever they were read: only a change is told on. */
export const isSameQuote = (a: DealerQuote, b: DealerQuote): boolean =>
  a.id === b.id &&
  a.sellPrice === b.sellPrice &&
  a.buybackPrice === b.buybackPrice &&
  a.currency === b.currency &&
  a.weight === b.weight &&
  a.weightUnit === b.weightUnit &&
  a.karat === b.karat &&
  a.fineness === b.fineness &&
  a.taxIncluded === b.taxIncluded;
