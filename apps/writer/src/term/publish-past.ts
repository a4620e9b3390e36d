/** Publishes at the start of a term what was backfilled without events: series, rates and settlements. */
import { readFxTables, type Store } from "@assay/db";
import type { LeaseToken } from "@assay/live";
import { DAILY_SYMBOLS } from "@assay/pricing";
import type { Outbox } from "../moments/outbox.ts";

/** Where the history is read, and how it is published. */
export interface PastParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
}

/**
 * Makes readers reload every series and the settlements: what was backfilled was not published one by one, nor was what the
 * previous leader stored but could not publish. Current rates are published again for the same reason.
 */
export const publishPast = async ({ store, writer, outbox }: PastParts, nowMs: number): Promise<void> => {
  for (const symbol of DAILY_SYMBOLS) outbox.put({ kind: "bars-replaced", symbol });
  outbox.put({ kind: "history-filled" });
  outbox.put({ kind: "settlements-replaced" });
  const fx = await readFxTables(store, nowMs);
  if (fx.length > 0) outbox.put({ kind: "moment", token: writer.token, atMs: nowMs, ticks: [], bars: [], fx });
};
