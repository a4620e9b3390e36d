/** In-memory currency tables: as many as as-of lookups need. */
import type { FxObservation } from "../readings/observation.ts";
import { legOf } from "./leg.ts";

/** The tables of each role, oldest first. Plain data, immutable. */
export interface FxState {
  readonly live: readonly FxObservation[];
  readonly reference: readonly FxObservation[];
}

/** No tables. */
export const EMPTY_FX: FxState = { live: [], reference: [] };

/** Whether two tables have the same source, base and instant: the later one is then a correction. */
export const isSameTable = (a: FxObservation, b: FxObservation): boolean =>
  a.source === b.source && a.base === b.base && a.observedAtMs === b.observedAtMs;

const insert = (tables: readonly FxObservation[], table: FxObservation): readonly FxObservation[] => {
  const others = tables.filter((held) => !isSameTable(held, table));
  const after = others.findLastIndex((held) => held.observedAtMs <= table.observedAtMs) + 1;
  return [...others.slice(0, after), table, ...others.slice(after)];
};

/**
 * Adds a table. One of the same source, base and instant is replaced by the correction.
 * @param fx the state so far
 * @param table a validated table
 * @returns the new state
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
 * @param fx the state
 * @param fromMs the earliest instant that will be looked up, epoch milliseconds
 * @returns the smaller state
 */
export const retainFx = (fx: FxState, fromMs: number): FxState => ({
  live: keep(fx.live, fromMs, (table) => table.observedAtMs + table.freshForMs >= fromMs),
  reference: keep(fx.reference, fromMs, () => false),
});
