/** The price of a weight of metal other than its trading unit. */
import type { DealerWeightUnit, DecimalText, WeightUnit } from "@assay/contract";
import { GRAMS_PER, GRAMS_PER_METAL_UNIT, type MetalUnit } from "../market/units.ts";
import { divideExact, type Exact, fraction, multiplyExact } from "../number/fraction.ts";
import { presentPrice } from "../number/present.ts";

/**
 * The price of one weight unit in a currency: usd × rate × grams of the weight / grams of the metal's unit.
 * @param usd the price in USD of the metal's own unit, unrounded
 * @param rate units of the currency for one USD
 * @param unit the unit of that price
 * @param weight the weight to price
 * @returns decimal text with the decimals of a price, rounded half up once
 * @throws RangeError when a figure is text that is not a plain decimal
 */
export const weightPrice = (usd: Exact, rate: Exact, unit: MetalUnit, weight: WeightUnit | DealerWeightUnit): DecimalText => {
  const units = divideExact(fraction(GRAMS_PER[weight]), fraction(GRAMS_PER_METAL_UNIT[unit]));
  return presentPrice(multiplyExact(multiplyExact(fraction(usd), fraction(rate)), units));
};
