/** Weights: grams per unit, and the unit each metal is priced in. */
import type { DealerWeightUnit, Metal, WeightUnit } from "@assay/contract";
import { Decimal } from "../number/decimal.ts";

/** Grams in one troy ounce, exactly. */
export const GRAMS_PER_TROY_OUNCE: Decimal = new Decimal("31.1034768");
/** Grams in one avoirdupois pound, exactly. */
export const GRAMS_PER_POUND: Decimal = new Decimal("453.59237");
/** Grams in one tola, as bullion is traded in India, Pakistan and Nepal. */
export const GRAMS_PER_TOLA: Decimal = new Decimal("11.6638038");
/** Grams in one Hong Kong tael. */
export const GRAMS_PER_TAEL: Decimal = new Decimal("37.429");
/** Grams in one Vietnamese luong, of ten chi. */
export const GRAMS_PER_LUONG: Decimal = new Decimal("37.5");
/** Grams in one Vietnamese chi. */
export const GRAMS_PER_CHI: Decimal = new Decimal("3.75");
/** Grams in one kilogram. */
export const GRAMS_PER_KILOGRAM: Decimal = new Decimal(1000);

/** The unit of a metal's price, as the wire names it. */
export type MetalUnit = "troy_ounce" | "pound";

/** The unit of each metal's price: copper per avoirdupois pound, the others per troy ounce. */
export const METAL_UNIT: Readonly<Record<Metal, MetalUnit>> = { XAU: "troy_ounce", XAG: "troy_ounce", HG: "pound" };

/** Grams in the unit of each metal's price. */
export const GRAMS_PER_METAL_UNIT: Readonly<Record<MetalUnit, Decimal>> = {
  troy_ounce: GRAMS_PER_TROY_OUNCE,
  pound: GRAMS_PER_POUND,
};

/** Grams per weight unit. */
export const GRAMS_PER: Readonly<Record<WeightUnit | DealerWeightUnit, Decimal>> = {
  gram: new Decimal(1),
  kg: GRAMS_PER_KILOGRAM,
  oz: GRAMS_PER_TROY_OUNCE,
  tola: GRAMS_PER_TOLA,
  tael: GRAMS_PER_TAEL,
  luong: GRAMS_PER_LUONG,
  chi: GRAMS_PER_CHI,
};

/**
 * A weight in grams.
 * @param amount number of units
 * @param unit the weight unit
 * @returns grams, exact up to 40 digits
 */
export const toGrams = (amount: Decimal, unit: WeightUnit | DealerWeightUnit): Decimal => amount.mul(GRAMS_PER[unit]);

/**
 * A weight in troy ounces.
 * @param amount number of units
 * @param unit the weight unit
 * @returns troy ounces, rounded half up to 40 digits
 */
export const toTroyOunces = (amount: Decimal, unit: WeightUnit | DealerWeightUnit): Decimal =>
  unit === "oz" ? amount : toGrams(amount, unit).div(GRAMS_PER_TROY_OUNCE);
