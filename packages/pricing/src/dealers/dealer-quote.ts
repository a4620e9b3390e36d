/**
 * Buy and sell prices of bullion dealers, and their premium over spot: every unit and purity converted to a gram of pure metal,
 * in the local currency.
 */
import type { DealerForm, DealerKind, DealerWeightUnit, DecimalText, PhysicalCountry } from "@assay/contract";
import { GRAMS_PER_TROY_OUNCE, toGrams } from "../conventions/units.ts";
import {
  Decimal,
  dec,
  divideExact,
  type Exact,
  type Fraction,
  fraction,
  multiplyExact,
  subtractExact,
  toFixedText,
} from "../number/exact.ts";
import { presentFigure } from "../number/present.ts";
import { isDecimalText } from "../number/scaled.ts";

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

export interface ProductQuote extends DealerQuote {
  /** Stable for the same product of the same source. */
  readonly id: string;
  readonly kind: DealerKind;
  readonly metal: "XAU";
  readonly form: DealerForm;
  /** A share of 1, or parts of 1000, as the dealer states it; null where only karat is stated. */
  readonly fineness: DecimalText | null;
  readonly taxIncluded: boolean;
  readonly sourceUrl: string;
}

/** A changed quote, as stored and published: `seq` rises by one per country, across restarts, writers and processes. */
export interface DealerTick extends ProductQuote {
  readonly seq: number;
  /** When it was first read with these figures, epoch milliseconds. */
  readonly fetchedAtMs: number;
}

/** A quote without details: a dealer's reference price, with its karat's purity and no tax included. */
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

/** The fineness of 24 karat gold where the dealer does not state one: 999. */
const FINE: Fraction = { numerator: 999n, denominator: 1_000n };

/**
 * The share of pure metal: the fineness the dealer states, else karat / 24, with 24 as 0.999.
 * @param fineness a share of 1, or parts of 1000; null where it is not stated
 * @param karat parts of 24
 * @returns above 0 and at most 1; null when the stated value is not a purity
 */
export const finenessOf = (fineness: DecimalText | null, karat: number): Fraction | null => {
  if (fineness !== null) {
    if (!isDecimalText(fineness)) return null;
    const stated = new Decimal(fineness);
    if (stated.lte(0) || stated.gt(1_000)) return null;
    if (stated.lte(1)) return fraction(stated);
    return stated.lte(100) ? null : divideExact(fraction(stated), fraction("1000"));
  }
  if (!(karat > 0 && karat <= 24)) return null;
  return karat === 24 ? FINE : divideExact(fraction(String(karat)), fraction("24"));
};

/** A dealer's quote compared with spot. */
export interface Premium {
  /** Weight of the product in grams, exact. */
  readonly weightGrams: DecimalText;
  /** Share of pure metal, at most six decimals. */
  readonly fineness: DecimalText;
  /** Price a customer pays per gram of pure metal, four decimals; null without a sell price. */
  readonly pricePerFineGram: DecimalText | null;
  /** (sell per fine gram / spot per gram − 1) × 10 000, one decimal; null when a leg is missing. */
  readonly premiumOverSpotBps: number | null;
  /** The same for the buyback price. */
  readonly buybackPremiumBps: number | null;
  /** (sell − buyback) per fine gram in bps of spot, one decimal; null when a leg is missing. */
  readonly spreadBps: number | null;
}

const PER_OUNCE = fraction(GRAMS_PER_TROY_OUNCE);

/**
 * Spot per gram of pure metal in a local currency: usdPerOzt × rate / 31.1034768, exact.
 * @param usdPerOzt spot in USD per troy ounce
 * @param rate units of the currency per USD, at the same moment
 */
export const spotPerGram = (usdPerOzt: Exact, rate: Exact): Fraction =>
  divideExact(multiplyExact(fraction(usdPerOzt), fraction(rate)), PER_OUNCE);

/** (numerator / denominator) × 10 000 with one decimal, rounded half up. */
const bpsOf = (numerator: Fraction, denominator: Fraction): number =>
  Number(toFixedText(multiplyExact(divideExact(numerator, denominator), fraction("10000")), 1));

const trimmed = (text: DecimalText): DecimalText => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** One side's price per gram of pure metal. */
const perFineGram = (price: DecimalText | null, fineGrams: Fraction): Fraction | null =>
  price === null ? null : divideExact(fraction(price), fineGrams);

/**
 * Compares a dealer's quote with spot. Prices are compared as quoted: where sales tax is included, it is part of the premium, and
 * the quote says so.
 * @param spot spot per gram in the quote's currency, at the same moment; null when spot or the rate is missing
 * @returns null when the quote states no purity or no weight
 * @throws RangeError when a figure of the quote is not a plain decimal
 */
export const premiumOf = (quote: ProductQuote, spot: Fraction | null): Premium | null => {
  const purity = finenessOf(quote.fineness, quote.karat);
  const grams = toGrams(dec(quote.weight), quote.weightUnit);
  if (!purity || grams.lte(0)) return null;
  const fineGrams = multiplyExact(fraction(grams), purity);
  const sell = perFineGram(quote.sell, fineGrams);
  const buyback = perFineGram(quote.buyback, fineGrams);
  const over = (side: Fraction | null): number | null => (side && spot ? bpsOf(subtractExact(side, spot), spot) : null);
  return {
    weightGrams: grams.toFixed(),
    fineness: trimmed(toFixedText(purity, 6)),
    pricePerFineGram: sell && presentFigure(sell, 4),
    premiumOverSpotBps: over(sell),
    buybackPremiumBps: over(buyback),
    spreadBps: sell && buyback && spot ? bpsOf(subtractExact(sell, buyback), spot) : null,
  };
};
