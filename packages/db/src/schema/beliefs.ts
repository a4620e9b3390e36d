/** What confirms each instrument's price, and which of its ticks were withdrawn, so that a restart and other processes know. */
import type { BeliefState, Instrument } from "@assay/pricing";
import { json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** One row per instrument. The document is `json`, not `jsonb`, so that it comes back digit for digit. */
export const beliefs = pgTable(
  "beliefs",
  {
    instrument: text().$type<Instrument>().notNull(),
    document: json().$type<BeliefState>().notNull(),
  },
  (table) => [primaryKey({ name: "beliefs_pk", columns: [table.instrument] })],
);
