/** The state writes are checked against: the highest writer token the store has seen, and the revision of running bars. */
import { pgTable, smallint, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** Exactly one row, created by the first migration. */
export const writerFence = pgTable("writer_fence", {
  id: smallint().primaryKey(),
  token: count().notNull(),
  holder: text().notNull(),
  since: instant().notNull(),
  /** Number of writes of moments and imports, whose bars depend on bars stored before. */
  barsRevision: count("bars_revision").notNull(),
});
