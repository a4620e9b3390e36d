/** The highest writer token the store has seen. A write under a lower one is refused. */
import { pgTable, smallint, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** Exactly one row, made by the first migration. */
export const writerFence = pgTable("writer_fence", {
  id: smallint().primaryKey(),
  token: count().notNull(),
  holder: text().notNull(),
  since: instant().notNull(),
});
