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
    /** Number of bulk replacements of its bars. */
    changes: count().notNull(),
    /** The value of `changes` when the build began; less than `changes` means that the archive must be rebuilt. */
    builtChanges: count("built_changes"),
    builtAtMs: instant("built_at"),
    /** Bars in it; a year without bars has no archive. */
    rows: count(),
  },
  (table) => [primaryKey({ name: "archives_pk", columns: [table.symbol, table.interval, table.year] })],
);
