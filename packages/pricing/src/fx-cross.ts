/** Currency rates at a moment: live first, then the daily reference, each leg on its own. */
import type { DecimalText } from "@assay/contract";
import { Decimal } from "./decimal.ts";
import { divideExact, type Exact, type Fraction, fraction, multiplyExact, ONE, toDecimal } from "./fraction.ts";
import { type FxLeg, legOf } from "./fx-leg.ts";
import type { FxState } from "./fx-state.ts";
import type { FxObservation } from "./observation.ts";

/** Levs for one euro: fixed by law, and no longer published by the European Central Bank since 2026-01-01. */
export const BGN_PER_EUR: DecimalText = "1.95583";

/** Units for one US dollar of the currencies pegged to it. */
export const USD_PEGS: Readonly<Record<string, DecimalText>> = { AED: "3.6725", SAR: "3.75" };

/** Units of a currency for one US dollar, with where it is from. As a fraction it is exact; `rate` is rounded to 40 digits. */
export interface FxRate extends FxLeg {
  /** The table's source; `identity` for USD, `peg` for currencies pegged to it. */
  readonly source: string;
  /** The levs' role is that of their euro leg. */
  readonly role: "identity" | "live" | "reference" | "peg";
  readonly observedAtMs: number;
  /** Past the table's freshness at the moment asked for. */
  readonly isStale: boolean;
}

const isFreshAt = (table: FxObservation, atMs: number): boolean => atMs <= table.observedAtMs + table.freshForMs;

/** The newest table at a moment that has the currency and passes; tables are oldest first. */
const newest = (
  tables: readonly FxObservation[],
  currency: string,
  atMs: number,
  passes: (table: FxObservation) => boolean,
): FxRate | null => {
  for (let index = tables.length - 1; index >= 0; index--) {
    const table = tables[index];
    if (!table || table.observedAtMs > atMs || !passes(table)) continue;
    const leg = legOf(table, currency);
    if (leg) {
      const { source, role, observedAtMs } = table;
      return { ...leg, source, role, observedAtMs, isStale: !isFreshAt(table, atMs) };
    }
  }
  return null;
};

const always = (): boolean => true;

/**
 * Units of a currency for one US dollar, as known at a moment.
 *
 * USD is one. BGN is 1.95583 per EUR through the euro's rate and AED and SAR are pegged, whatever a feed says. Every other
 * currency is read from the newest live table that is fresh and has it; else from the newest reference table that has it,
 * stale past that table's freshness; else, when no reference has it, from the newest live table, stale.
 * Only tables observed at or before the moment count.
 * @param fx the tables
 * @param currency ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 * @returns the rate, exact as a fraction and rounded to 40 digits in `rate`; null when no table has the currency
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
  return (
    newest(fx.live, currency, atMs, (table) => isFreshAt(table, atMs)) ??
    newest(fx.reference, currency, atMs, always) ??
    newest(fx.live, currency, atMs, always)
  );
};

/**
 * Units of `to` for one `from`, as known at a moment, each leg resolved on its own.
 * @param fx the tables
 * @param from ISO 4217, upper case
 * @param to ISO 4217, upper case
 * @param atMs the moment, epoch milliseconds
 * @returns the rate at 40 digits, rounded half up once from the exact quotient of the legs, so that it times the rate of
 *   the other direction is one within one unit of the last place; null when a leg is missing
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
