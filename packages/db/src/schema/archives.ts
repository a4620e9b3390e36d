/** Which years of which series are archived, and which have changed since. */
import type { Interval } from "@assay/contract";
import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per series and UTC year that was archived, or changed by an import. */
export const archives = pgTable(
  "archives",
  {
    symbol: text().notNull(),
    interval: text().$type<Interval>().notNull(),
    year: integer().notNull(),
    /** Counts how often its bars were replaced in bulk. */
    changes: count().notNull(),
    /** The count as it was when the archive was begun; less than `changes` means that it is to be built anew. */
    builtChanges: count("built_changes"),
    builtAtMs: instant("built_at"),
    /** Bars in it; none is archived for a year without any. */
    rows: count(),
  },
  (table) => [primaryKey({ name: "archives_pk", columns: [table.symbol, table.interval, table.year] })],
);
