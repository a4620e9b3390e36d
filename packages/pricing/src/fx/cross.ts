/** Currency rates at a moment: live first, then the daily reference, each leg on its own. */
import { Decimal } from "../number/decimal.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, ONE, toDecimal } from "../number/fraction.ts";
import type { FxObservation } from "../readings/observation.ts";
import { type FxLeg, legOf } from "./leg.ts";
import { BGN_PER_EUR, USD_PEGS } from "./pegs.ts";
import { offReference, REFERENCE_SERVES_MS, referenceLeg, witnessOf } from "./reference.ts";
import type { FxState } from "./state.ts";

/** Units of a currency per US dollar, and where the rate comes from. Exact as a fraction; `rate` is rounded to 40 digits. */
export interface FxRate extends FxLeg {
  /** The table's source; `identity` for USD, `peg` for currencies pegged to it. */
  readonly source: string;
  /** The lev has the role of its euro leg. */
  readonly role: "identity" | "live" | "reference" | "peg";
  readonly observedAtMs: number;
  /** Past the table's freshness at the given moment. */
  readonly isStale: boolean;
}

const isFreshAt = (table: FxObservation, atMs: number): boolean => atMs <= table.observedAtMs + table.freshForMs;

/** Without a reference rate, validation on arrival was the only check. */
const isRefused = (table: FxObservation, currency: string, witness: FxObservation | null): boolean =>
  witness !== null && offReference(table, currency, witness) !== null;

const rateFrom = (table: FxObservation, leg: FxLeg, atMs: number): FxRate => {
  const { source, role, observedAtMs } = table;
  return { ...leg, source, role, observedAtMs, isStale: !isFreshAt(table, atMs) };
};

/** The newest rate of a live table that is fresh at a moment and close to the reference; tables are oldest first. */
const freshLive = (fx: FxState, currency: string, atMs: number, witness: FxObservation | null): FxRate | null => {
  for (let index = fx.live.length - 1; index >= 0; index--) {
    const table = fx.live[index];
    if (!table || table.observedAtMs > atMs || !isFreshAt(table, atMs)) continue;
    const leg = legOf(table, currency);
    if (leg && !isRefused(table, currency, witness)) return rateFrom(table, leg, atMs);
  }
  return null;
};

/** The newest live rate of the last seven days, fresh or not; none when it is too far off the reference. */
const lastLive = (fx: FxState, currency: string, atMs: number, witness: FxObservation | null): FxRate | null => {
  const table = fx.live.findLast((each) => each.observedAtMs <= atMs && legOf(each, currency) !== null);
  const leg = table && legOf(table, currency);
  if (!leg || atMs - table.observedAtMs > REFERENCE_SERVES_MS || isRefused(table, currency, witness)) return null;
  return rateFrom(table, leg, atMs);
};

/**
 * Units of a currency per US dollar, as known at a moment.
 *
 * USD is one. BGN is 1.95583 per EUR through the euro's rate and AED and SAR are pegged, whatever a feed says. Every other
 * currency is read from the newest live table that is fresh, has it, and is not off the reference rate (`offReference`);
 * otherwise from the newest reference table of the last seven days that has it, stale past that table's freshness; otherwise,
 * when no such reference has it, from the newest live table of the last seven days, stale. Verdicts are made at each lookup, so
 * that a later reference also ends the use of a table that was accepted before it. Only tables observed at or before the moment
 * count.
 * @param fx the tables
 * @param currency ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 * @returns the rate, exact as a fraction and rounded to 40 digits in `rate`; null when no usable table has the currency
 */
export const fxRate = (fx: FxState, currency: string, atMs: number): FxRate | null => {
  if (currency === "USD") {
    return { ...ONE, rate: new Decimal(1), source: "identity", role: "identity", observedAtMs: atMs, isStale: false };
  }
  if (currency === "BGN") {
    const euro = fxRate(fx, "EUR", atMs);
    if (!euro) return null;
    const exact = multiplyExact(euro, fraction(BGN_PER_EUR));
    return { ...euro, ...exact, rate: toDecimal(exact) };
  }
  const peg = Object.hasOwn(USD_PEGS, currency) ? USD_PEGS[currency] : undefined;
  if (peg !== undefined) {
    return { ...fraction(peg), rate: new Decimal(peg), source: "peg", role: "peg", observedAtMs: atMs, isStale: false };
  }
  const witness = witnessOf(fx, currency, atMs);
  const live = freshLive(fx, currency, atMs, witness);
  if (live) return live;
  const reference = referenceLeg(fx, currency, atMs);
  return reference ? rateFrom(reference.table, reference.leg, atMs) : lastLive(fx, currency, atMs, witness);
};

/**
 * Units of `to` per unit of `from`, as known at a moment, each leg resolved on its own.
 * @param fx the tables
 * @param from ISO 4217, upper case
 * @param to ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 * @returns the rate at 40 digits, rounded half up once from the exact quotient of the legs, so that its product with the inverse
 *   direction's rate is one within one unit of the last place; null when a leg is missing
 */
export const crossRate = (fx: FxState, from: string, to: string, atMs: number): Decimal | null => {
  const fromLeg = fxRate(fx, from, atMs);
  const toLeg = fxRate(fx, to, atMs);
  return fromLeg && toLeg && toDecimal(divideExact(toLeg, fromLeg));
};

/**
 * A USD figure in another currency: exactly `usd × rate`, rounded to 40 digits once.
 * @param usd an exact figure in USD
 * @param rate the currency's rate
 * @returns the unrounded price; a tie at the displayed decimals is still a tie
 */
export const crossUsd = (usd: Exact, rate: Fraction): Decimal => toDecimal(multiplyExact(fraction(usd), rate));
