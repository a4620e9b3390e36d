/** Records what is still missing of the past. */
import type { HistoryGap } from "@assay/pricing";
import { sql } from "drizzle-orm";
import type { Store } from "../store.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/**
 * Replaces the gaps of series.
 * @throws StaleTokenError when a newer writer has written since; nothing is stored
 */
export const writeHistoryGaps = (
  store: Store,
  writer: WriterToken,
  gaps: ReadonlyMap<string, readonly HistoryGap[]>,
): Promise<void> =>
  insertBehindFence(store, writer, [
    sql`
      insert into history_gaps (symbol, document)
      select key, value from fence, json_each(${JSON.stringify(Object.fromEntries(gaps))}::text::json)
      on conflict (symbol) do update set document = excluded.document`,
  ]);
