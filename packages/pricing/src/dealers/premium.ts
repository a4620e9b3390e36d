/** Dealer premiums over spot: every unit and purity converted to a gram of pure metal, in the local currency. */
import type { DecimalText } from "@assay/contract";
import { GRAMS_PER_TROY_OUNCE, toGrams } from "../market/units.ts";
import { dec } from "../number/decimal.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, toFixedText } from "../number/fraction.ts";
import type { ProductQuote } from "./dealer-quote.ts";
import { finenessOf } from "./fineness.ts";

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
  Number(toFixedText(multiplyExact(divideExact(numerator, denominator), { numerator: 10_000n, denominator: 1n }), 1));

const minus = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator - b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});

const trimmed = (text: DecimalText): DecimalText => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** One side's price per gram of pure metal. */
const perFineGram = (price: DecimalText | null, fineGrams: Fraction): Fraction | null =>
  price === null ? null : divideExact(fraction(price), fineGrams);

/**
 * Compares a dealer's quote with spot. Prices are compared as quoted: where sales tax is included, it is part of the premium, and
 * the quote says so.
 * @param quote the dealer's quote
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
  const over = (side: Fraction | null): number | null => (side && spot ? bpsOf(minus(side, spot), spot) : null);
  return {
    weightGrams: grams.toFixed(),
    fineness: trimmed(toFixedText(purity, 6)),
    pricePerFineGram: sell && toFixedText(sell, 4),
    premiumOverSpotBps: over(sell),
    buybackPremiumBps: over(buyback),
    spreadBps: sell && buyback && spot ? bpsOf(minus(sell, buyback), spot) : null,
  };
};
