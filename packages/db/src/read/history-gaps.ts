/** What is still missing of the past. */
import type { HistoryGap } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { rowsOf, type Store } from "../store.ts";

/** Every gap of every series, oldest first within one. */
export const readHistoryGaps = async (store: Store): Promise<HistoryGap[]> => {
  const query = sql`select document::text from history_gaps order by symbol`;
  const rows = await store.run((db) => rowsOf<{ document: string }>(db, query));
  return rows.flatMap(({ document }): HistoryGap[] => JSON.parse(document)); // written by our own writer in this shape
};
