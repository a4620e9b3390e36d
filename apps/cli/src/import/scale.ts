/** `--scale`: converts prices in cents, or per another unit, to USD per the series' unit; exactly. */
import type { DecimalText } from "@assay/contract";
import { isDecimalText, readScaled, shiftPoint, writeUnits } from "@assay/pricing";
import { ImportError } from "./import-error.ts";

/** The most digits of a scale: a conversion of units has fewer. */
const MOST_DIGITS = 20;

/**
 * Parses a scale.
 * @throws ImportError for one that is not a plain decimal above zero
 */
export const readScale = (text: string): DecimalText => {
  if (!isDecimalText(text) || text.startsWith("-") || !/[1-9]/.test(text) || text.length > MOST_DIGITS) {
    throw new ImportError(`a scale is a plain decimal above zero of up to ${MOST_DIGITS} characters, such as 0.01`);
  }
  return text;
};

/** How far a power of ten shifts the decimal point; null for another scale. */
const placesOf = (scale: DecimalText): number | null => {
  const { units, scale: decimals } = readScaled(scale);
  const digits = units.toString();
  return /^10*$/.test(digits) ? digits.length - 1 - decimals : null;
};

/**
 * Creates the function that scales a price. A power of ten shifts the point and keeps the digits; any other scale multiplies
 * and drops trailing zeros. Text that is not a plain decimal is left for the bar's validation.
 */
export const scaler = (scale: DecimalText | undefined): ((text: string) => string) => {
  if (scale === undefined) return (text) => text;
  const places = placesOf(scale);
  if (places !== null) return (text) => (isDecimalText(text) ? shiftPoint(text, places) : text);
  const factor = readScaled(scale);
  return (text) => {
    if (!isDecimalText(text)) return text;
    const price = readScaled(text);
    return writeUnits(price.units * factor.units, price.scale + factor.scale, price.scale);
  };
};
