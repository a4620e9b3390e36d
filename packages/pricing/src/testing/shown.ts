/** What a figure reads like on the wire, by decimal.js: the oracle of `presentFigure`. */
import type { Decimal } from "../number/exact.ts";

/** The decimals of a price: 2 from 100 up, 4 below 100, 6 below 1, by the unrounded figure. */
export const priceDecimals = (price: Decimal): number => (price.abs().gte(100) ? 2 : price.abs().gte(1) ? 4 : 6);

/** A figure with the decimals of its unit; below the last of them with four significant digits. */
export const shown = (figure: Decimal, decimals: number): string => {
  if (figure.isZero() || figure.abs().mul(`1e${decimals}`).gte(1)) return figure.toFixed(decimals);
  const four = figure.toSignificantDigits(4);
  return four.toFixed(3 - four.e);
};
