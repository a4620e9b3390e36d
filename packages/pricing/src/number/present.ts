/** Formats figures: prices, changes, confidence and rates, each rounded half up once at the end. */
import { CURRENCIES, type Currency, type DecimalText } from "@assay/contract";
import type { Decimal } from "./decimal.ts";
import { type Exact, type Fraction, fraction, multiplyExact, toFixedText, toSignificantText } from "./fraction.ts";

/** Decimals of a metal amount. */
export const METAL_DECIMALS = 6;

const WITHOUT_MINOR_UNIT: ReadonlySet<Currency> = new Set(["JPY", "KRW", "ISK"]);

/** Decimals of an amount of each currency: its ISO 4217 minor units. */
export const MINOR_UNITS: Readonly<Record<Currency, 0 | 2>> = Object.fromEntries(
  CURRENCIES.map((currency) => [currency, WITHOUT_MINOR_UNIT.has(currency) ? 0 : 2]),
) as Record<Currency, 0 | 2>; // built from the list of all currencies

const decimalsOf = ({ numerator, denominator }: Fraction): 2 | 4 | 6 => {
  const magnitude = numerator < 0n ? -numerator : numerator;
  return magnitude >= 100n * denominator ? 2 : magnitude >= denominator ? 4 : 6;
};

/**
 * Formats a price for the wire: 2 decimals from 100 up, 4 below 100, 6 below 1, by the unrounded figure.
 * @param price the unrounded price
 * @param more additional decimals
 */
export const presentPrice = (price: Exact, more = 0): DecimalText => {
  const exact = fraction(price);
  return toFixedText(exact, decimalsOf(exact) + more);
};

/**
 * Formats a USD price in another currency: `usd × rate`, with the decimals of the result.
 * @param usd the unrounded price in USD
 * @param rate units of the currency per USD
 */
export const presentCrossed = (usd: Exact, rate: Exact): DecimalText =>
  presentPrice(multiplyExact(fraction(usd), fraction(rate)));

/**
 * Formats a figure in the unit of a price, with that price's decimals: `ch` and `conf`.
 * @param figure the unrounded figure
 * @param price the unrounded price it belongs to
 */
export const presentBeside = (figure: Exact, price: Exact): DecimalText =>
  toFixedText(fraction(figure), decimalsOf(fraction(price)));

/** A formatted change of price. */
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
  const change: Fraction = {
    numerator: now.numerator * before.denominator - before.numerator * now.denominator,
    denominator: now.denominator * before.denominator,
  };
  const percent: Fraction = {
    numerator: 100n * change.numerator * before.denominator,
    denominator: change.denominator * before.numerator,
  };
  return { ch: presentBeside(change, now), chp: toFixedText(percent, 2) };
};

/**
 * Formats a rate: at most 18 significant digits, plain notation, no trailing zeros.
 * @param rate the unrounded rate
 */
export const presentRate = (rate: Exact): DecimalText => toSignificantText(fraction(rate), 18);

/**
 * Formats an exact figure in plain notation with all its digits and no trailing zeros.
 * @param figure a Decimal
 */
export const presentExact = (figure: Decimal): DecimalText => (figure.isZero() ? "0" : figure.toFixed());
