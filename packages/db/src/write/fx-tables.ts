/** Writes currency rates to the store. */
import type { FxObservation } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";

/**
 * The upsert of a moment's rates, to run behind the fence; empty for no tables. A later reading of the same source, base and
 * moment replaces the earlier one.
 */
export const upsertOfFxTables = (tables: readonly FxObservation[]): SQL[] => {
  const distinct = new Map(tables.map((table) => [`${table.source} ${table.base} ${table.observedAtMs}`, table]));
  if (distinct.size === 0) return [];
  return [
    sql`
      insert into fx_tables (source, base, observed_at, role, fresh_for_ms, rates)
      select fx ->> 'source', fx ->> 'base', to_timestamp((fx ->> 'observedAtMs')::numeric / 1000), fx ->> 'role',
        (fx ->> 'freshForMs')::numeric::bigint, fx -> 'rates'
      from fence, json_array_elements(${JSON.stringify([...distinct.values()])}::text::json) as fx
      on conflict (source, base, observed_at) do update set
        role = excluded.role, fresh_for_ms = excluded.fresh_for_ms, rates = excluded.rates`,
  ];
};
