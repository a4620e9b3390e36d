/** Exact decimal arithmetic, configured once: 40 significant digits, no exponents in text. */
import type { DecimalText } from "@assay/contract";
import { Decimal as Base } from "decimal.js";

/** Decimal with 40 significant digits, rounding half up, plain notation. */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 });
/** An exact decimal. */
export type Decimal = Base;

/**
 * Parses decimal text.
 * @param text plain notation
 */
export const dec = (text: DecimalText | number | Base): Decimal => new Decimal(text);

/**
 * The number of decimals a price is displayed with: 2 from 100 up, 4 below 100, 6 below 1, by the unrounded figure.
 * @param price the unrounded price, any currency
 */
export const priceDecimals = (price: Decimal): 2 | 4 | 6 => {
  const magnitude = price.abs();
  return magnitude.gte(100) ? 2 : magnitude.gte(1) ? 4 : 6;
};

/**
 * Formats a price for the wire, rounded half up once.
 * @param price the unrounded price
 * @param decimals defaults to those of the figure
 */
export const formatPrice = (price: Decimal, decimals: number = priceDecimals(price)): DecimalText =>
  price.toFixed(decimals, Base.ROUND_HALF_UP);
