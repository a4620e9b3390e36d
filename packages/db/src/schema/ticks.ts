/** Published ticks of the last hour, and the newest before it: restores latest prices, the delay buffer and `seq`. */
import type { Instrument, Tick } from "@assay/pricing";
import { index, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per tick. The payload is `json`, not `jsonb`, to preserve every digit. */
export const ticks = pgTable(
  "ticks",
  {
    instrument: text().$type<Instrument>().notNull(),
    seq: count().notNull(),
    computedAtMs: instant("computed_at").notNull(),
    payload: json().$type<Tick>().notNull(),
  },
  (table) => [
    primaryKey({ name: "ticks_pk", columns: [table.instrument, table.seq] }),
    index("ticks_by_time").on(table.computedAtMs),
  ],
);
