/** Files that are completely imported, so that an interrupted import resumes where it stopped. */
import type { Interval } from "@assay/contract";
import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per file and series. */
export const imports = pgTable(
  "imports",
  {
    fileDigest: text("file_digest").notNull(),
    symbol: text().notNull(),
    interval: text().$type<Interval>().notNull(),
    rows: count().notNull(),
    finishedAtMs: instant("finished_at").notNull(),
    firstStartMs: instant("first_start"),
    lastStartMs: instant("last_start"),
  },
  (table) => [primaryKey({ name: "imports_pk", columns: [table.fileDigest, table.symbol, table.interval] })],
);
