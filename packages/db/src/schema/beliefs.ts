/**
 * What confirms each instrument's price, and which of its ticks were withdrawn, so that it survives restarts and reaches other
 * processes.
 */
import type { BeliefState, Instrument } from "@assay/pricing";
import { json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** One row per instrument. The document is `json`, not `jsonb`, to preserve every digit. */
export const beliefs = pgTable(
  "beliefs",
  {
    instrument: text().$type<Instrument>().notNull(),
    document: json().$type<BeliefState>().notNull(),
  },
  (table) => [primaryKey({ name: "beliefs_pk", columns: [table.instrument] })],
);
