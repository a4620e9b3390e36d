/** Formats figures: prices, changes, confidence and rates, each rounded half up once at the end. */
import { catalogue } from "@assay/catalogue";
import type { Currency, DecimalText } from "@assay/contract";
import {
  divideExact,
  type Exact,
  type Fraction,
  fraction,
  multiplyExact,
  subtractExact,
  toFixedText,
  toSignificantText,
} from "./exact.ts";
import { compareDecimalText, divideHalfUp, readScaled, tenTo, writeUnits } from "./scaled.ts";

/** Decimals of a metal amount. */
export const METAL_DECIMALS = 6;

/** Decimals of an amount of a currency: its ISO 4217 minor units. */
export const minorUnits = (currency: Currency): number => catalogue.currency(currency).minor_units;

const decimalsOf = ({ numerator, denominator }: Fraction): 2 | 4 | 6 => {
  const magnitude = numerator < 0n ? -numerator : numerator;
  return magnitude >= 100n * denominator ? 2 : magnitude >= denominator ? 4 : 6;
};

/** Bounds of a whole number of four digits. */
const FOUR_DIGITS = 1_000n;
const FIVE_DIGITS = 10_000n;

/** The decimals a figure is displayed with: its unit's; below the last of them, as many as four significant digits take. */
const shownDecimals = ({ numerator, denominator }: Fraction, decimals: number): number => {
  const magnitude = numerator < 0n ? -numerator : numerator;
  if (magnitude >= denominator || magnitude === 0n) return decimals;
  if (magnitude * tenTo(decimals) >= denominator) return decimals;
  let more = decimals;
  while (magnitude * tenTo(more) < FOUR_DIGITS * denominator) more += 1;
  // Rounding may carry into a fifth digit, a zero.
  return divideHalfUp(magnitude * tenTo(more), denominator) < FIVE_DIGITS ? more : more - 1;
};

/**
 * Formats a figure with the decimals of its unit, rounded half up. One that is not zero never reads zero: below the last decimal
 * it has four significant digits.
 * @param figure the unrounded figure
 * @param decimals those of the unit
 * @returns for example `4003.20`, or `0.0001287` where `0.00` would say nothing
 */
export const presentFigure = (figure: Exact, decimals: number): DecimalText => {
  const exact = fraction(figure);
  return toFixedText(exact, shownDecimals(exact, decimals));
};

/**
 * Formats a price for the wire: 2 decimals from 100 up, 4 below 100, 6 below 1, by the unrounded figure; never zero
 * unless it is.
 * @param more additional decimals
 */
export const presentPrice = (price: Exact, more = 0): DecimalText => {
  const exact = fraction(price);
  return presentFigure(exact, decimalsOf(exact) + more);
};

/** Formats a price with every digit, and at least those of `presentPrice`: for what is calculated with. */
export const presentWhole = (price: DecimalText): DecimalText => {
  const shown = presentPrice(price);
  if (compareDecimalText(shown, price) === 0) return shown;
  const { units, scale } = readScaled(price);
  return writeUnits(units, scale, 0);
};

/**
 * Formats a price with 2, 4 or 6 decimals, as `presentPrice` does, but as zero where it is below the last of them: SQL rounds the
 * prices of bars so.
 * @param price the unrounded price
 */
export const formatPrice = (price: Exact): DecimalText => {
  const exact = fraction(price);
  return toFixedText(exact, decimalsOf(exact));
};

/**
 * Formats a USD price in another currency: `usd × rate`, with the decimals of the result.
 * @param usd the unrounded price in USD
 * @param rate units of the currency per USD
 */
export const presentCrossed = (usd: Exact, rate: Exact): DecimalText =>
  presentPrice(multiplyExact(fraction(usd), fraction(rate)));

/**
 * Formats a figure in the unit of a price, with the decimals that price is shown with: `ch` and `conf`. What is less than its last
 * decimal reads zero, as the difference of the prices shown does.
 * @param figure the unrounded figure
 * @param price the unrounded price it belongs to
 */
export const presentBeside = (figure: Exact, price: Exact): DecimalText => {
  const exact = fraction(price);
  return toFixedText(fraction(figure), shownDecimals(exact, decimalsOf(exact)));
};

export interface PriceChange {
  /** Price minus the previous close, with the price's decimals. */
  readonly ch: DecimalText;
  /** That change in percent of the previous close, 2 decimals. */
  readonly chp: DecimalText;
}

/**
 * Formats the change of a price since an earlier close.
 * @param price the unrounded price
 * @param previousClose the previous close, above zero
 * @throws RangeError when the previous close is not above zero
 */
export const presentChange = (price: Exact, previousClose: Exact): PriceChange => {
  const now = fraction(price);
  const before = fraction(previousClose);
  if (before.numerator <= 0n) throw new RangeError("a close is above zero");
  const change = subtractExact(now, before);
  const percent = divideExact(multiplyExact(change, fraction("100")), before);
  return { ch: presentBeside(change, now), chp: toFixedText(percent, 2) };
};

/**
 * Formats a rate: at most 18 significant digits, plain notation, no trailing zeros.
 * @param rate the unrounded rate
 */
export const presentRate = (rate: Exact): DecimalText => toSignificantText(fraction(rate), 18);
