/** Currency rates, as they were taken in. */
import type { FxObservation } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/**
 * Reads the tables observed from an instant on and, of each source and base, the newest before it: the daily reference
 * that held then, or a live table that may still have been fresh.
 * @returns oldest first
 */
export const readFxTables = (store: Store, sinceMs: number): Promise<FxObservation[]> =>
  store.run((db) => {
    const since = formatInstant(sinceMs);
    return rowsOf<FxObservation>(
      db,
      sql`
        select 'fx' as kind, source, role, base, rates,
          (extract(epoch from observed_at) * 1000)::float8 as "observedAtMs", fresh_for_ms::float8 as "freshForMs"
        from (
          select * from fx_tables where observed_at >= ${since}::timestamptz
          union all
          (select distinct on (source, base) * from fx_tables
            where observed_at < ${since}::timestamptz order by source, base, observed_at desc)
        ) as wanted
        order by observed_at, source, base`,
    );
  });
