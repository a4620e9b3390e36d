/** What is still missing of each series' past, so that an interrupted fill continues, and pages can say that they are not whole. */
import type { HistoryGap } from "@assay/pricing";
import { json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** One row per series that ever had a gap; the document is an empty list once there is none. */
export const historyGaps = pgTable(
  "history_gaps",
  {
    symbol: text().notNull(),
    document: json().$type<readonly HistoryGap[]>().notNull(),
  },
  (table) => [primaryKey({ name: "history_gaps_pk", columns: [table.symbol] })],
);
