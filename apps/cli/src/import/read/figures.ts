/** Reads the figures of a file: their decimal mark and thousands separators, and `--scale`; exactly. */
import type { DecimalText } from "@assay/contract";
import { isDecimalText, readScaled, shiftPoint, writeUnits } from "@assay/pricing";
import { ImportError } from "../import-error.ts";

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
 * and drops trailing zeros.
 */
export const scaler = (scale: DecimalText | undefined): ((price: DecimalText) => DecimalText) => {
  if (scale === undefined) return (price) => price;
  const places = placesOf(scale);
  if (places !== null) return (price) => shiftPoint(price, places);
  const factor = readScaled(scale);
  return (text) => {
    const price = readScaled(text);
    return writeUnits(price.units * factor.units, price.scale + factor.scale, price.scale);
  };
};

export const DECIMAL_MARKS = ["point", "comma"] as const;
export type DecimalMark = (typeof DECIMAL_MARKS)[number];

/** Thousands in groups, always separated alike: 1,552.20 and 1 552.20. */
const POINT = /^-?\d{1,3}([, '’\u00a0\u202f])\d{3}(?:\1\d{3})*(?:\.\d+)?$/;
/** Decimals after a comma, with or without groups: 1552,20 and 1.552,20. */
const COMMA = /^-?(?:\d+|\d{1,3}([. '’\u00a0\u202f])\d{3}(?:\1\d{3})*)(?:,\d+)?$/;
/** Either 1552 or 1.552. */
const EITHER = /^-?\d{1,3},\d{3}$/;

/** As programs write a figure: 2.3601E+03. */
const SCIENTIFIC = /^(-?\d+(?:[.,]\d+)?)e([+-]?\d{1,2})$/i;
/** How a row without a figure is written. */
export const NO_FIGURE = /^(?:\.|n\/?a|nan|null|-)?$/i;
/** Prices are in dollars. */
const DOLLARS = /^(-?)(?:US)?\$ ?/;
const OTHER_SIGN = /[\p{Sc}]/u;

const plainFigure = (text: string, mark: DecimalMark | undefined): DecimalText | null => {
  if (mark === "comma") return COMMA.test(text) ? text.replace(/[^\d,-]/g, "").replace(",", ".") : null;
  const isPlain: boolean = isDecimalText(text);
  if (isPlain) return text;
  return POINT.test(text) && (mark === "point" || !EITHER.test(text)) ? text.replace(/[^\d.-]/g, "") : null;
};

/**
 * Creates the function that writes a figure as a plain decimal.
 * @param mark the decimal mark; when omitted, a point, and a figure that may have a comma for it is not read
 * @returns null for text that is no figure, or that may be two different ones
 */
export const figureReader =
  (mark: DecimalMark | undefined): ((text: string) => DecimalText | null) =>
  (written) => {
    const known = plainFigure(written, mark);
    if (known !== null) return known;
    const text = written.replace(DOLLARS, "$1");
    const [, figure = text, power] = SCIENTIFIC.exec(text) ?? [];
    const plain = plainFigure(figure, mark);
    return plain === null || power === undefined ? plain : shiftPoint(plain, Number(power));
  };

/** As websites shorten a volume: 210.45K. */
const SHORTENED = /^(.*\d) ?([kmb])$/i;
const THOUSANDS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 };

/** Creates the function that reads a volume: a figure, or so many thousands, millions or billions. */
export const volumeReader =
  (figure: (text: string) => DecimalText | null): ((text: string) => DecimalText | null) =>
  (text) => {
    const [, short, letter = ""] = SHORTENED.exec(text) ?? [];
    const plain = figure(short ?? text);
    return plain === null || short === undefined ? plain : shiftPoint(plain, THOUSANDS[letter.toLowerCase()] ?? 0);
  };

/** What is wrong with a figure that is not read, and the option that reads it, if any. */
export const figureFault = (text: string, mark: DecimalMark | undefined): string => {
  if (OTHER_SIGN.test(text.replace(DOLLARS, "$1"))) return "is not in USD, as prices are";
  if (mark === "comma") return "is not a decimal with a comma";
  if (mark === undefined && EITHER.test(text)) {
    return "may be thousands or decimals; pass --decimal point if the comma separates thousands, --decimal comma if decimals";
  }
  const isComma = mark === undefined && COMMA.test(text);
  return `is not a plain decimal${isComma ? "; pass --decimal comma if the comma separates decimals" : ""}`;
};
