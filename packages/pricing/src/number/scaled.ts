/** Exact decimals as scaled integers, for per-tick arithmetic where decimal.js would be too slow. */
import type { DecimalText } from "@assay/contract";

/** An exact decimal: units / 10^scale. */
export interface Scaled {
  readonly units: bigint;
  /** Digits after the point, 0 or more. */
  readonly scale: number;
}

const PLAIN = /^-?[0-9]+(?:\.[0-9]+)?$/;

/**
 * Whether a text is a decimal in plain notation: digits, at most one point, no exponent, no spaces.
 * @param text anything
 */
export const isDecimalText = (text: string): text is DecimalText => PLAIN.test(text);

const POWERS: bigint[] = [1n];

/**
 * Ten to a power, cached.
 * @param exponent 0 or more
 */
export const tenTo = (exponent: number): bigint => {
  for (let next = POWERS.length; next <= exponent; next++) POWERS.push(10n ** BigInt(next));
  return POWERS[exponent] ?? 10n ** BigInt(exponent);
};

/**
 * Parses decimal text without losing digits; trailing zeros count towards the scale.
 * @param text plain notation
 * @throws RangeError when it is not a decimal in plain notation
 */
export const readScaled = (text: DecimalText): Scaled => {
  if (!PLAIN.test(text)) throw new RangeError(`not a plain decimal: ${JSON.stringify(text)}`);
  const point = text.indexOf(".");
  if (point < 0) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
};

/**
 * Converts a decimal to units of a wider scale.
 * @param scale at least the value's own
 */
export const unitsAt = (value: Scaled, scale: number): bigint =>
  value.scale === scale ? value.units : value.units * tenTo(scale - value.scale);

/**
 * Formats units / 10^scale in plain notation.
 * @param units the figure
 * @param scale digits after the point
 * @param keep how many of them are kept even when zero; defaults to all
 */
export const writeUnits = (units: bigint, scale: number, keep: number = scale): DecimalText => {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  let end = digits.length;
  const floor = whole.length + Math.min(keep, scale);
  while (end > floor && digits.charCodeAt(end - 1) === 48) end--;
  const text = end > whole.length ? `${whole}.${digits.slice(whole.length, end)}` : whole;
  return negative ? `-${text}` : text;
};

/**
 * A quotient rounded half up to whole units, ties away from zero.
 * @param numerator any integer
 * @param denominator above zero
 */
export const divideHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  numerator >= 0n ? (2n * numerator + denominator) / (2n * denominator) : -((2n * -numerator + denominator) / (2n * denominator));

/**
 * The median of ascending figures; of an even number, the mean of the two middle ones.
 * @param sorted units of one scale, with a digit more than their figures have, so that the mean is exact
 */
export const medianUnits = (sorted: readonly bigint[]): bigint => {
  const upper = sorted[sorted.length >> 1] ?? 0n;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? 0n)) / 2n;
};

/**
 * Two decimals in units of the wider scale of the two.
 * @throws RangeError when one is not a decimal in plain notation
 */
export const atOneScale = (
  a: DecimalText,
  b: DecimalText,
): { readonly left: bigint; readonly right: bigint; readonly scale: number } => {
  const [left, right] = [readScaled(a), readScaled(b)];
  const scale = Math.max(left.scale, right.scale);
  return { left: unitsAt(left, scale), right: unitsAt(right, scale), scale };
};

const compareExactly = (a: DecimalText, b: DecimalText): -1 | 0 | 1 => {
  const { left, right } = atOneScale(a, b);
  const difference = left - right;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** Number of digits before the decimal point. */
const wholeDigits = (text: DecimalText): number => {
  const point = text.indexOf(".");
  return point < 0 ? text.length : point;
};

/**
 * Compares two decimals in plain notation, exactly.
 *
 * Positive texts with equally many digits before the point compare lexicographically where they differ within the shorter one,
 * which is nearly every case within a series; the rest is compared as integers.
 * @returns -1, 0 or 1
 * @throws RangeError when the exact path meets text that is not a decimal
 */
export const compareDecimalText = (a: DecimalText, b: DecimalText): -1 | 0 | 1 => {
  if (a === b) return 0;
  if (a.charCodeAt(0) === 45 || b.charCodeAt(0) === 45) return compareExactly(a, b);
  const whole = wholeDigits(a);
  const otherWhole = wholeDigits(b);
  // Ignoring leading zeros, the number with more digits is larger.
  if (whole !== otherWhole)
    return a.charCodeAt(0) !== 48 && b.charCodeAt(0) !== 48 ? (whole < otherWhole ? -1 : 1) : compareExactly(a, b);
  if (a.length === b.length) return a < b ? -1 : 1;
  const shorter = Math.min(a.length, b.length);
  const [left, right] = [a.slice(0, shorter), b.slice(0, shorter)];
  return left === right ? compareExactly(a, b) : left < right ? -1 : 1;
};

/**
 * The exact sum of two decimals, with the wider scale of the two.
 * @throws RangeError when one is not a decimal in plain notation
 */
export const addDecimalText = (a: DecimalText, b: DecimalText): DecimalText => {
  const { left, right, scale } = atOneScale(a, b);
  return writeUnits(left + right, scale);
};

/**
 * Shifts a decimal's point, for figures published in thousands or in paise.
 * @param text plain notation
 * @param places to the right; negative for the left
 * @returns exact, with the digits of the text: `148.80` shifted by 3 is `148800`
 * @throws RangeError when the text is not a decimal in plain notation
 */
export const shiftPoint = (text: DecimalText, places: number): DecimalText => {
  const { units, scale } = readScaled(text);
  const left = scale - places;
  return left >= 0 ? writeUnits(units, left) : writeUnits(units * tenTo(-left), 0);
};
