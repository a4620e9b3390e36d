/** Metered calls by organisation and UTC day. Rows outlive the organisation, because they record what was billed. */
import { date, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count } from "./columns.ts";

/** One row per organisation and day with any call. */
export const usageDaily = pgTable(
  "usage_daily",
  {
    orgId: text("org_id").notNull(),
    day: date({ mode: "string" }).notNull(),
    calls: count().notNull(),
  },
  (table) => [primaryKey({ name: "usage_daily_pk", columns: [table.orgId, table.day] })],
);
