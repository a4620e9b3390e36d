/** Records what is still missing of the past. */
import type { HistoryGap } from "@assay/pricing";
import { sql } from "drizzle-orm";
import type { Store } from "../store.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/**
 * Replaces the gaps of a series.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeHistoryGaps = (store: Store, writer: WriterToken, symbol: string, gaps: readonly HistoryGap[]): Promise<void> =>
  insertBehindFence(store, writer, [
    sql`
      insert into history_gaps (symbol, document) select ${symbol}::text, ${JSON.stringify(gaps)}::text::json from fence
      on conflict (symbol) do update set document = excluded.document`,
  ]);
