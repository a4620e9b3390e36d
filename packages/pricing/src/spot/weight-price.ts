/**
 * The price of a weight of metal: of its trading unit's fractions and multiples, of an alloy by purity, and of a gram of gold by
 * karat.
 */
import { type DecimalText, KARATS, type Karat } from "@assay/contract";
import { GRAMS_PER_TROY_OUNCE, gramsPer, metalUnit } from "../conventions/units.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, ONE, toFixedText } from "../number/exact.ts";
import { presentFigure, presentPrice } from "../number/present.ts";
import { readScaled, writeUnits } from "../number/scaled.ts";

/**
 * The price of one weight unit in a currency: usd × rate × grams of the weight / grams of the metal's unit.
 * @param usd the price in USD of the metal's own unit, unrounded
 * @param rate units of the currency for one USD
 * @returns decimal text with the decimals of a price, rounded half up once
 * @throws RangeError when a figure is text that is not a plain decimal
 */
export const weightPrice = (usd: Exact, rate: Exact, unit: string, weight: string): DecimalText => {
  const units = divideExact(fraction(gramsPer(weight)), fraction(gramsPer(unit)));
  return presentPrice(multiplyExact(multiplyExact(fraction(usd), fraction(rate)), units));
};

const KARAT_DECIMALS = 4;

const PER_GRAM_BY_KARAT: ReadonlyMap<Karat, Fraction> = new Map(
  KARATS.map((karat) => [karat, divideExact({ numerator: BigInt(karat), denominator: 24n }, fraction(GRAMS_PER_TROY_OUNCE))]),
);

/**
 * The price of one gram of gold at each karat: usdPerOzt / 31.1034768 × rate × N / 24.
 * @param usdPerOzt gold in USD per troy ounce, unrounded
 * @param rate units of the currency for one USD
 * @returns for each karat the price in that currency per gram, 4 decimals, rounded half up once; never zero unless it is
 * @throws RangeError when a figure is text that is not a plain decimal
 */
export const karatPrices = (usdPerOzt: Exact, rate: Exact): Record<Karat, DecimalText> => {
  const local = multiplyExact(fraction(usdPerOzt), fraction(rate));
  const prices = {} as Record<Karat, DecimalText>; // every karat is set below
  for (const [karat, share] of PER_GRAM_BY_KARAT) prices[karat] = presentFigure(multiplyExact(local, share), KARAT_DECIMALS);
  return prices;
};

/** How pure a metal is, as a caller says it: in parts of 24, or in parts of 1000. Neither is pure metal. */
export interface Purity {
  readonly karat?: number | undefined;
  /** A number only when it is whole. */
  readonly fineness?: number | DecimalText | undefined;
}

/**
 * The share of pure metal.
 * @returns above 0 and at most 1, exact
 */
export const purityShare = ({ karat, fineness }: Purity): Fraction => {
  if (karat !== undefined) return { numerator: BigInt(karat), denominator: 24n };
  return fineness === undefined ? ONE : multiplyExact(fraction(String(fineness)), { numerator: 1n, denominator: 1_000n });
};

/** Decimals of a fineness that is not a whole number, as that of 22 karat is. */
const FINENESS_DECIMALS = 3;

/**
 * Formats a share of pure metal in parts of 1000.
 * @returns for example `1000`, `750`, or `916.667` for 22 karat: at most three decimals, rounded half up
 */
export const presentFineness = (share: Fraction): DecimalText => {
  const { units, scale } = readScaled(toFixedText(multiplyExact(share, fraction("1000")), FINENESS_DECIMALS));
  return writeUnits(units, scale, 0);
};

/**
 * What a weight of an alloy holds, in units of the metal's price: grams(unit) / grams(metal's unit) × purity.
 * @param metal the metal's code
 * @param share of pure metal
 * @throws RangeError when the catalogue does not have the metal or the unit
 */
export const measureOf = (metal: string, unit: string, share: Fraction): Fraction =>
  multiplyExact(divideExact(fraction(gramsPer(unit)), fraction(gramsPer(metalUnit(metal)))), share);

/**
 * The price of a measure: usd × rate × measure.
 * @param usd the price of the metal's own unit in USD, unrounded
 * @param rate units of the currency for one USD
 * @param measure see `measureOf`
 * @returns decimal text with the decimals of a price, rounded half up once
 * @throws RangeError when a figure is text that is not a plain decimal
 */
export const measuredPrice = (usd: Exact, rate: Exact, measure: Fraction): DecimalText =>
  presentPrice(multiplyExact(multiplyExact(fraction(usd), fraction(rate)), measure));
