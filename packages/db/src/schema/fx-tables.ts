/** Currency rates: live tables of the last hour, and every daily reference. */
import type { FxObservation } from "@assay/pricing";
import { json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per source, base and moment. */
export const fxTables = pgTable(
  "fx_tables",
  {
    source: text().notNull(),
    base: text().notNull(),
    observedAtMs: instant("observed_at").notNull(),
    role: text().$type<FxObservation["role"]>().notNull(),
    freshForMs: count("fresh_for_ms").notNull(),
    rates: json().$type<FxObservation["rates"]>().notNull(),
  },
  (table) => [primaryKey({ name: "fx_tables_pk", columns: [table.source, table.base, table.observedAtMs] })],
);
