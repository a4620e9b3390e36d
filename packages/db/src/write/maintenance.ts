/** Retention, vacuum and planner statistics. */
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";
import { pruneAnswers } from "./idempotency.ts";

/** How long ticks and live currency tables are kept by default: one hour. */
export const LIVE_RETENTION_MS = 3_600_000;

/** The embedded engine has no checkpointer: without this its log would grow by more than a gigabyte per day. */
const checkpoint = async (store: Store) => {
  if (store.kind === "pglite") await store.run((db) => rowsOf(db, sql`checkpoint`));
};

/**
 * Deletes expired rows; call it every few minutes. That is ticks and live tables older than `retainMs`, except the newest of each
 * before that, which the delayed price and `seq` depend on, and expired idempotent responses. Daily references are kept. On the
 * embedded engine it also does the work of a server's autovacuum and checkpointer.
 */
export const prune = async (store: Store, atMs: number, retainMs: number = LIVE_RETENTION_MS): Promise<void> => {
  const cutoff = formatInstant(atMs - retainMs);
  const run = (statement: SQL) => store.run((db) => rowsOf(db, statement), BULK_TIMEOUT_MS);
  await run(sql`
      delete from ticks using (
        select distinct on (instrument) instrument, seq, computed_at from ticks
        where computed_at < ${cutoff}::timestamptz order by instrument, computed_at desc, seq desc
      ) as kept
      where ticks.instrument = kept.instrument and (ticks.computed_at, ticks.seq) < (kept.computed_at, kept.seq)`);
  await run(sql`
      delete from fx_tables using (
        select source, base, max(observed_at) as observed_at from fx_tables
        where role = 'live' and observed_at < ${cutoff}::timestamptz group by source, base
      ) as kept
      where fx_tables.role = 'live' and fx_tables.source = kept.source and fx_tables.base = kept.base
        and fx_tables.observed_at < kept.observed_at`);
  await pruneAnswers(store, atMs);
  // Without it the space of deleted rows would never be reused.
  if (store.kind === "pglite")
    await run(sql`vacuum ticks, fx_tables, bars, writer_fence, idempotency_keys, feed_runs, dealer_quotes, surfaces, beliefs`);
  await checkpoint(store);
};

/** Refreshes the planner's statistics of the large tables; call it after every bulk load. */
export const analyze = async (store: Store): Promise<void> => {
  await store.run((db) => rowsOf(db, sql`analyze bars, settlements, ticks`), BULK_TIMEOUT_MS);
  await checkpoint(store);
};
