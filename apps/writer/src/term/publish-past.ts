/** Publishes at the start of a term what was backfilled without events: series, rates and settlements. */
import { readFxTables, readNewestSettlements, type Store } from "@assay/db";
import type { LeaseToken } from "@assay/live";
import { addDays, DAILY_SYMBOLS, utcDay } from "@assay/pricing";
import type { Outbox } from "../moments/outbox.ts";

/** Contracts that settled within this many days are published again; others have expired. */
const SETTLEMENTS_DAYS = 400;

/** Where the history is read, and how it is published. */
export interface PastParts {
  readonly store: Store;
  readonly writer: LeaseToken;
  readonly outbox: Outbox;
}

/** Publishes the backfilled settlements: the newest of each contract, which is all that readers keep. */
export const publishSettlements = async ({ store, writer, outbox }: PastParts, nowMs: number): Promise<void> => {
  const settlements = await readNewestSettlements(store, addDays(utcDay(nowMs), -SETTLEMENTS_DAYS));
  if (settlements.length === 0) return;
  outbox.put({ kind: "moment", token: writer.token, atMs: nowMs, ticks: [], bars: [], fx: [], settlements });
};

/**
 * Makes readers reload every series: backfilled bars were not published one by one, nor was what the previous leader stored but
 * could not publish. Current rates are published again for the same reason.
 */
export const publishPast = async (parts: PastParts, nowMs: number): Promise<void> => {
  const { store, writer, outbox } = parts;
  for (const symbol of DAILY_SYMBOLS) outbox.put({ kind: "bars-replaced", symbol });
  outbox.put({ kind: "history-filled" });
  const fx = await readFxTables(store, nowMs);
  if (fx.length > 0) outbox.put({ kind: "moment", token: writer.token, atMs: nowMs, ticks: [], bars: [], fx });
  await publishSettlements(parts, nowMs);
};
