/** Gold per gram by karat. */
import { type DecimalText, KARATS, type Karat } from "@assay/contract";
import { GRAMS_PER_TROY_OUNCE } from "../market/units.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, toFixedText } from "../number/fraction.ts";

/** Decimals of a per-gram price. */
const KARAT_DECIMALS = 4;

const PER_GRAM_BY_KARAT: ReadonlyMap<Karat, Fraction> = new Map(
  KARATS.map((karat) => [karat, divideExact({ numerator: BigInt(karat), denominator: 24n }, fraction(GRAMS_PER_TROY_OUNCE))]),
);

/**
 * The price of one gram of gold at each karat: usdPerOzt / 31.1034768 × rate × N / 24.
 * @param usdPerOzt gold in USD per troy ounce, unrounded
 * @param rate units of the currency for one USD
 * @returns for each karat the price in that currency per gram, 4 decimals, rounded half up once
 * @throws RangeError when a figure is text that is not a plain decimal
 */
export const karatPrices = (usdPerOzt: Exact, rate: Exact): Record<Karat, DecimalText> => {
  const local = multiplyExact(fraction(usdPerOzt), fraction(rate));
  const prices = {} as Record<Karat, DecimalText>; // every karat is set below
  for (const [karat, share] of PER_GRAM_BY_KARAT) prices[karat] = toFixedText(multiplyExact(local, share), KARAT_DECIMALS);
  return prices;
};
