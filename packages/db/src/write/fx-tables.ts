/** Writes currency rates to the store. */
import type { FxObservation } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { unnest, unnestJson } from "./columns.ts";

/**
 * The upsert of a moment's rates, to run behind the fence; empty for no tables. A later reading of the same source, base and
 * moment replaces the earlier one.
 */
export const upsertOfFxTables = (tables: readonly FxObservation[]): SQL[] => {
  const distinct = new Map(tables.map((table) => [`${table.source} ${table.base} ${table.observedAtMs}`, table]));
  const rows = [...distinct.values()];
  if (rows.length === 0) return [];
  return [
    sql`
      insert into fx_tables (source, base, observed_at, role, fresh_for_ms, rates)
      select
        ${unnest(rows, (table) => table.source, "text")},
        ${unnest(rows, (table) => table.base, "text")},
        ${unnest(rows, (table) => formatInstant(table.observedAtMs), "timestamptz")},
        ${unnest(rows, (table) => table.role, "text")},
        ${unnest(rows, (table) => Math.round(table.freshForMs), "bigint")},
        ${unnestJson(rows.map(({ rates }) => rates))}
      from fence
      on conflict (source, base, observed_at) do update set
        role = excluded.role, fresh_for_ms = excluded.fresh_for_ms, rates = excluded.rates`,
  ];
};
