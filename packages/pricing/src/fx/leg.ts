/** One currency of one table, per US dollar. */
import type { Decimal } from "../number/decimal.ts";
import { divideExact, type Fraction, fraction, ONE, toDecimal } from "../number/fraction.ts";
import { isDecimalText } from "../number/scaled.ts";
import type { FxObservation } from "../readings/observation.ts";

/** Units of a currency per USD: exact as a fraction, rounded to 40 digits in `rate`. */
export interface FxLeg extends Fraction {
  readonly rate: Decimal;
}

const perBase = (table: FxObservation, currency: string): Fraction | null => {
  if (currency === table.base) return ONE;
  const text = Object.hasOwn(table.rates, currency) ? table.rates[currency] : undefined;
  if (text === undefined || !isDecimalText(text)) return null;
  const units = fraction(text);
  return units.numerator > 0n ? units : null;
};

const LEGS = new WeakMap<FxObservation, Map<string, FxLeg | null>>();

/**
 * A currency per USD from one table, crossed through the table's base. Cached, as tables never change.
 * @param table the table
 * @param currency ISO 4217, upper case
 * @returns null when the table lacks the currency or the dollar, or one of them is not a positive decimal
 */
export const legOf = (table: FxObservation, currency: string): FxLeg | null => {
  const legs = LEGS.get(table) ?? new Map<string, FxLeg | null>();
  if (legs.size === 0) LEGS.set(table, legs);
  const known = legs.get(currency);
  if (known !== undefined) return known;
  const usd = perBase(table, "USD");
  const units = perBase(table, currency);
  const quotient = usd && units && divideExact(units, usd);
  const leg = quotient && { ...quotient, rate: toDecimal(quotient) };
  legs.set(currency, leg);
  return leg;
};
