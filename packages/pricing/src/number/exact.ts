/**
 * Exact figures: decimals of 40 significant digits, and quotients that stay fractions until the single rounding at the end, so that
 * ties round correctly.
 */
import type { DecimalText } from "@assay/contract";
import { Decimal as Base } from "decimal.js";
import { divideHalfUp, readScaled, tenTo, writeUnits } from "./scaled.ts";

/** Decimal with 40 significant digits, rounding half up, plain notation. */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_UP, toExpNeg: -40, toExpPos: 40 });
export type Decimal = Base;

/**
 * Parses decimal text.
 * @param text plain notation
 */
export const dec = (text: DecimalText | number | Base): Decimal => new Decimal(text);

/** An exact quotient of integers. */
export interface Fraction {
  readonly numerator: bigint;
  /** Above zero. */
  readonly denominator: bigint;
}

/** An exact figure: a fraction, a Decimal, or decimal text. */
export type Exact = Fraction | Decimal | DecimalText;

export const ONE: Fraction = { numerator: 1n, denominator: 1n };

/**
 * Converts an exact figure to a fraction.
 * @throws RangeError when it is text that is not a plain decimal, or a Decimal that is not finite
 */
export const fraction = (value: Exact): Fraction => {
  if (typeof value === "object" && "numerator" in value) return value;
  const { units, scale } = readScaled(typeof value === "string" ? value : value.toFixed());
  return { numerator: units, denominator: tenTo(scale) };
};

/** The exact difference a − b. */
export const subtractExact = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator - b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});

/** The exact product. */
export const multiplyExact = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/**
 * The exact quotient a / b.
 * @throws RangeError when b is zero
 */
export const divideExact = (a: Fraction, b: Fraction): Fraction => {
  if (b.numerator === 0n) throw new RangeError("division by zero");
  const sign = b.numerator < 0n ? -1n : 1n;
  return { numerator: sign * a.numerator * b.denominator, denominator: sign * a.denominator * b.numerator };
};

/**
 * A fraction as a Decimal: rounded half up to 40 significant digits, once.
 * @param value the fraction
 */
export const toDecimal = (value: Fraction): Decimal =>
  new Decimal(value.numerator.toString()).div(new Decimal(value.denominator.toString()));

/**
 * Formats a fraction with a fixed number of decimals, rounded half up once; zero has no sign.
 * @param value the fraction
 * @param decimals digits after the point
 */
export const toFixedText = (value: Fraction, decimals: number): DecimalText =>
  writeUnits(divideHalfUp(value.numerator * tenTo(decimals), value.denominator), decimals);

/**
 * Formats a positive fraction with at most this many significant digits, rounded half up once: plain notation, no exponent, no
 * trailing zeros.
 * @param value the fraction
 * @param digits significant digits
 */
export const toSignificantText = (value: Fraction, digits: number): DecimalText => {
  if (value.numerator === 0n) return "0";
  if (value.numerator < 0n) return `-${toSignificantText({ ...value, numerator: -value.numerator }, digits)}`;
  const limit = tenTo(digits);
  // The exponent estimated from the lengths is off by one at most; rounding may carry into one digit more.
  let scale = digits - (value.numerator.toString().length - value.denominator.toString().length);
  for (;;) {
    const units =
      scale >= 0
        ? divideHalfUp(value.numerator * tenTo(scale), value.denominator)
        : divideHalfUp(value.numerator, value.denominator * tenTo(-scale));
    if (units < limit) return scale >= 0 ? writeUnits(units, scale, 0) : (units * tenTo(-scale)).toString();
    scale--;
  }
};
