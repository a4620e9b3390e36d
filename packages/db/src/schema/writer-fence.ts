/** What writes are checked against: the highest writer token the store has seen, and how often running bars were written. */
import { pgTable, smallint, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** Exactly one row, made by the first migration. */
export const writerFence = pgTable("writer_fence", {
  id: smallint().primaryKey(),
  token: count().notNull(),
  holder: text().notNull(),
  since: instant().notNull(),
  /** Counts the writes of moments and imports, whose bars rest on those that were stored before. */
  barsRevision: count("bars_revision").notNull(),
});
