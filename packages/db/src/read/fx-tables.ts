/** Stored currency rates. */
import { type FxObservation, REFERENCE_SERVES_MS } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/**
 * Reads the tables that rates at or after an instant depend on: tables observed from it on, references of the seven days before
 * it (a currency may be missing from one and present in another), and the newest live table of each source and base in those
 * days.
 * @returns oldest first
 */
export const readFxTables = (store: Store, sinceMs: number): Promise<FxObservation[]> =>
  store.run((db) => {
    const [since, earliest] = [formatInstant(sinceMs), formatInstant(sinceMs - REFERENCE_SERVES_MS)];
    return rowsOf<FxObservation>(
      db,
      sql`
        select 'fx' as kind, source, role, base, rates,
          (extract(epoch from observed_at) * 1000)::float8 as "observedAtMs", fresh_for_ms::float8 as "freshForMs"
        from (
          select * from fx_tables where observed_at >= ${since}::timestamptz
          union all
          select * from fx_tables where role = 'reference'
            and observed_at >= ${earliest}::timestamptz and observed_at < ${since}::timestamptz
          union all
          (select distinct on (source, base) * from fx_tables where role = 'live'
            and observed_at >= ${earliest}::timestamptz and observed_at < ${since}::timestamptz
            order by source, base, observed_at desc)
        ) as wanted
        order by observed_at, source, base`,
    );
  });

/** Daily tables are never this many days apart, holidays included. */
const GAP_DAYS = 10;

/** Stored reference rates of a source: how many tables, and until when the series is complete. */
export interface ReferenceSpan {
  readonly tables: number;
  readonly unbrokenUntilMs: number;
}

/** Reads the extent of a source's reference rates; null when there are none. */
export const readReferenceSpan = async (store: Store, source: string): Promise<ReferenceSpan | null> => {
  const [row] = await store.run((db) =>
    rowsOf<{ tables: number; unbrokenUntilMs: number | null }>(
      db,
      sql`
        select count(*)::float8 as tables,
          (extract(epoch from min(observed_at) filter (where next is null or next - observed_at > make_interval(days => ${GAP_DAYS}::int))) * 1000)::float8
            as "unbrokenUntilMs"
        from (
          select observed_at, lead(observed_at) over (order by observed_at) as next
          from fx_tables where source = ${source} and role = 'reference') as tables_in_order`,
    ),
  );
  return row && row.unbrokenUntilMs !== null ? { tables: row.tables, unbrokenUntilMs: row.unbrokenUntilMs } : null;
};
