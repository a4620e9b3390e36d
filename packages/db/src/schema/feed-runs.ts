/** Health of each feed, as of its last run. */
import { pgTable, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per feed. */
export const feedRuns = pgTable("feed_runs", {
  feed: text().primaryKey(),
  lastAttemptAtMs: instant("last_attempt_at").notNull(),
  lastSuccessAtMs: instant("last_success_at"),
  consecutiveFailures: count("consecutive_failures").notNull(),
  rejectedObservations: count("rejected_observations").notNull(),
  lastError: text("last_error"),
});
