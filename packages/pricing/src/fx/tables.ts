/** Currency tables in memory, as many as as-of lookups need; and one currency of a table, per US dollar. */
import { type CurrencyRow, catalogue } from "@assay/catalogue";
import { type Decimal, divideExact, type Fraction, fraction, ONE, toDecimal } from "../number/exact.ts";
import { isDecimalText } from "../number/scaled.ts";
import type { FxObservation } from "../readings/observation.ts";
import { REFERENCE_SERVES_MS } from "./published.ts";

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

const PEGS = new Map(catalogue.rows.currencies.map(({ code, peg }) => [code, peg]));

/** The peg of a currency; null when it floats or is not in the catalogue. */
export const pegOf = (currency: string): CurrencyRow["peg"] => PEGS.get(currency) ?? null;

/** The tables of each role, oldest first. Plain data, immutable. */
export interface FxState {
  readonly live: readonly FxObservation[];
  readonly reference: readonly FxObservation[];
}

export const EMPTY_FX: FxState = { live: [], reference: [] };

/** Whether two tables have the same source, base and instant: the later one is then a correction. */
export const isSameTable = (a: FxObservation, b: FxObservation): boolean =>
  a.source === b.source && a.base === b.base && a.observedAtMs === b.observedAtMs;

export const repeatsTable = (table: FxObservation, held: FxObservation): boolean => {
  const names = Object.keys(table.rates);
  return (
    isSameTable(table, held) &&
    names.length === Object.keys(held.rates).length &&
    names.every((name) => table.rates[name] === held.rates[name])
  );
};

const insert = (tables: readonly FxObservation[], table: FxObservation): readonly FxObservation[] => {
  const others = tables.filter((held) => !isSameTable(held, table));
  const after = others.findLastIndex((held) => held.observedAtMs <= table.observedAtMs) + 1;
  return [...others.slice(0, after), table, ...others.slice(after)];
};

/**
 * Adds a table. One of the same source, base and instant is replaced by the correction.
 * @param fx the state so far
 * @param table a validated table
 */
export const withFx = (fx: FxState, table: FxObservation): FxState => ({
  live: table.role === "live" ? insert(fx.live, table) : fx.live,
  reference: table.role === "reference" ? insert(fx.reference, table) : fx.reference,
});

/** Drops tables older than `fromMs`, except those `isNeeded` selects and the newest of each source for each currency. */
const keep = (
  tables: readonly FxObservation[],
  fromMs: number,
  isNeeded: (table: FxObservation) => boolean,
): readonly FxObservation[] => {
  const covered = new Set<string>();
  const kept: FxObservation[] = [];
  for (const table of tables.toReversed()) {
    if (table.observedAtMs <= fromMs) {
      const named = [table.base, ...Object.keys(table.rates)]
        .filter((currency) => legOf(table, currency))
        .map((currency) => `${table.source} ${currency}`)
        .filter((leg) => !covered.has(leg));
      if (named.length === 0 && !isNeeded(table)) continue;
      for (const leg of named) covered.add(leg);
    }
    kept.push(table);
  }
  return kept.reverse();
};

/**
 * Drops tables that no lookup at or after `fromMs` can need: those before it, except live ones that were still fresh then (a
 * newer one may be refused) and the newest of each source for each currency.
 * @param fromMs the earliest instant that will be looked up, epoch milliseconds
 * @returns the smaller state
 */
export const retainFx = (fx: FxState, fromMs: number): FxState => ({
  live: keep(fx.live, fromMs, (table) => table.observedAtMs + table.freshForMs >= fromMs),
  // Of the days in which one may serve.
  reference: keep(fx.reference, fromMs, (table) => table.observedAtMs + REFERENCE_SERVES_MS >= fromMs),
});
