/** What is still missing of each series' past. */
import type { HistoryGap } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { rowsOf, type Store } from "../store.ts";

/** Every gap of every series, oldest first within one. */
export const readHistoryGaps = async (store: Store): Promise<HistoryGap[]> => {
  const query = sql`select document::text from history_gaps order by symbol`;
  const rows = await store.run((db) => rowsOf<{ document: string }>(db, query));
  return rows.flatMap(({ document }): HistoryGap[] => JSON.parse(document)); // written by our own writer in this shape
};

/**
 * Replaces the gaps of a series.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeHistoryGaps = async (
  store: Store,
  writer: WriterToken,
  symbol: string,
  gaps: readonly HistoryGap[],
): Promise<void> => {
  await insertBehindFence(store, writer, [
    sql`
      insert into history_gaps (symbol, document) select ${symbol}::text, ${JSON.stringify(gaps)}::text::json from fence
      on conflict (symbol) do update set document = excluded.document`,
  ]);
};
