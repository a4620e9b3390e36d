/** Bars of all intervals, forming and closed. Prices are unrounded; rounding happens on output. */
import type { Interval } from "@assay/contract";
import { boolean, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** One row per bar; the primary key reads a page of a series in order. */
export const bars = pgTable(
  "bars",
  {
    symbol: text().notNull(),
    interval: text().$type<Interval>().notNull(),
    barStartMs: instant("bar_start").notNull(),
    open: numeric().notNull(),
    high: numeric().notNull(),
    low: numeric().notNull(),
    close: numeric().notNull(),
    volume: numeric(),
    isClosed: boolean("is_closed").notNull(),
    sourceId: text("source_id").notNull(),
  },
  (table) => [primaryKey({ name: "bars_pk", columns: [table.symbol, table.interval, table.barStartMs] })],
);
