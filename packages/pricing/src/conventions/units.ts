/** Weights: grams per unit, and the unit each metal is priced in. */
import { catalogue } from "@assay/catalogue";
import { Decimal } from "../number/exact.ts";

const GRAMS = new Map(catalogue.rows.units.map(({ code, grams }) => [code, new Decimal(grams)]));

/**
 * Grams in one unit of weight, exactly.
 * @param unit a unit of the catalogue
 * @throws RangeError when the catalogue does not have it
 */
export const gramsPer = (unit: string): Decimal => {
  const grams = GRAMS.get(unit);
  if (!grams) throw new RangeError(`the catalogue has no unit ${unit}`);
  return grams;
};

/** Grams in one troy ounce, exactly. */
export const GRAMS_PER_TROY_OUNCE: Decimal = gramsPer("troy_ounce");

/**
 * The unit of a metal's price.
 * @param metal the metal's code
 */
export const metalUnit = (metal: string): string => catalogue.metal(metal).unit;

/**
 * A weight in grams.
 * @returns grams, exact up to 40 digits
 */
export const toGrams = (amount: Decimal, unit: string): Decimal => amount.mul(gramsPer(unit));
