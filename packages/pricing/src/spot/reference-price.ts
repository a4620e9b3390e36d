/** Reference prices: a central bank's daily figure per gram in its currency, as USD per the metal's unit, and what it may say. */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { type DecimalText, startOfUtcDay } from "@assay/contract";
import { bandBps, isSamePrice } from "../belief/voices.ts";
import type { Instrument } from "../conventions/symbols.ts";
import { gramsPer, metalUnit } from "../conventions/units.ts";
import { divideExact, fraction, multiplyExact, toFixedText } from "../number/exact.ts";
import { compareDecimalText, isDecimalText } from "../number/scaled.ts";
import type { BarObservation, ReferenceObservation } from "../readings/observation.ts";
import { PASSED, refused, type TimeRule, type Verdict, validateTime } from "../readings/validation.ts";

const DECIMALS = 4;

/**
 * A reference price in USD: price per gram × grams per unit ÷ currency per dollar, exact and rounded half up once.
 * @returns USD per the metal's unit, four decimals
 * @throws RangeError when a figure is not a plain decimal, or the dollar costs nothing
 */
export const referencePrice = ({ metal, perGram, perUsd }: ReferenceObservation): DecimalText => {
  const perUnit = multiplyExact(fraction(perGram), fraction(gramsPer(metalUnit(metal))));
  return toFixedText(divideExact(perUnit, fraction(perUsd)), DECIMALS);
};

export type ReferenceRule =
  | TimeRule
  /** A figure that is not a plain decimal. */
  | "malformed"
  /** A price or rate that is not above zero. */
  | "not_positive"
  /** A price outside the metal's plausible range. */
  | "out_of_range"
  /** Several times what is known of the metal, or a fraction of it: a price in another unit. */
  | "unit_slip";

/** A price counts as one of another unit when it is at least this many times too high or too low: a troy ounce is 31 grams. */
const SLIP = 5;

const isSlip = (price: DecimalText, known: DecimalText): boolean => {
  const ratio = Number(price) / Number(known);
  return ratio >= SLIP || ratio <= 1 / SLIP;
};

export interface ReferenceContext {
  readonly nowMs: number;
  /** How long the source's figures stay fresh, in milliseconds. */
  readonly freshForMs: number;
  /** What the metal is known to cost, in USD per its unit; null when nothing is known. */
  readonly known: DecimalText | null;
}

/**
 * Validates a reference price against every rule, in this order: time, figures, range, unit. Whether it agrees with the price of
 * the present is not one of them: see `supports`.
 * @returns ok, or the first rule it breaks
 */
export const validateReference = (
  observation: ReferenceObservation,
  { nowMs, freshForMs, known }: ReferenceContext,
): Verdict<ReferenceRule> => {
  const time = validateTime(observation.observedAtMs, nowMs, freshForMs);
  if (!time.ok) return time;
  for (const name of ["perGram", "perUsd"] as const) {
    const text = observation[name];
    if (!isDecimalText(text)) return refused("malformed", `${name} ${JSON.stringify(text)}`);
    if (text.startsWith("-") || !/[1-9]/.test(text)) return refused("not_positive", `${name} ${text}`);
  }
  const price = referencePrice(observation);
  const { low, high } = catalogue.metal(observation.metal).bounds;
  if (compareDecimalText(price, low) < 0 || compareDecimalText(price, high) > 0)
    return refused("out_of_range", `${observation.metal} ${price}, believable is ${low} to ${high}`);
  if (known !== null && isSlip(price, known)) return refused("unit_slip", `${observation.metal} ${price}, known is ${known}`);
  return PASSED;
};

/**
 * Whether a reference supports a price: they are within the band of two witnesses as far apart in time.
 * @param price USD per the instrument's unit
 * @param nowMs the instant of the price
 */
export const supports = (
  reference: ReferenceObservation,
  { instrument, price, nowMs }: { readonly instrument: Instrument; readonly price: DecimalText; readonly nowMs: number },
): boolean => isSamePrice(price, referencePrice(reference), bandBps(instrument, nowMs - reference.observedAtMs));

/** A reference as the bar of its day. It has no open, high or low: all four equal the close. */
export const referenceDay = (reference: ReferenceObservation): BarObservation => {
  const { source, metal, observedAtMs } = reference;
  const price = referencePrice(reference);
  return {
    kind: "bar",
    source,
    symbol: spotSymbol(metal),
    interval: "1d",
    barStartMs: startOfUtcDay(observedAtMs),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: null,
    observedAtMs,
  };
};
