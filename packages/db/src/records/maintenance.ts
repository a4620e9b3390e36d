/** Retention, vacuum and planner statistics. */
import { DAY_MS } from "@assay/contract";
import { type SQL, sql } from "drizzle-orm";
import { pruneAnswers } from "../accounts/idempotency.ts";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";

/** How long ticks and live currency tables are kept by default: one hour. */
export const LIVE_RETENTION_MS = 3_600_000;

/** How long counts of sources are kept: quarters of an hour for the window of a day, days for that of a year. */
const QUARTERS_RETAINED_MS = 3 * DAY_MS;
const DAYS_RETAINED_MS = 400 * DAY_MS;

/** How long a day's first price is compared with: over the longest closure. */
export const DAY_PAIRS_SERVE_MS = 8 * DAY_MS;

/** How long events are kept, and alerts and endpoints that were deleted: 30 days. */
export const DELIVERIES_RETAINED_MS = 30 * DAY_MS;

/** Deletes expired events, then what only they may have named. */
const pruneAlerts = async (run: (statement: SQL) => Promise<unknown>, atMs: number): Promise<void> => {
  const cutoff = sql`${formatInstant(atMs - DELIVERIES_RETAINED_MS)}::timestamptz`;
  await run(sql`delete from deliveries where created_at < ${cutoff}`);
  await run(sql`delete from alerts where deleted_at < ${cutoff}`);
  await run(sql`
      delete from endpoints
      where deleted_at < ${cutoff} and not exists (select from alerts where endpoint_id = endpoints.id)`);
};

/** The embedded engine has no checkpointer: without this its log would grow by more than a gigabyte per day. */
const checkpoint = async (store: Store) => {
  if (store.kind === "pglite") await store.run((db) => rowsOf(db, sql`checkpoint`));
};

/**
 * Deletes expired rows; call it every few minutes. That is ticks and live tables older than `retainMs`, except the newest of each
 * before that, which the delayed price and `seq` depend on, rates that no tick is left of, counts of sources that no window reaches, events of 30 days ago, and expired idempotent responses. Daily references are kept. On the
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
  await run(sql`
      delete from rate_sets
      where began_at < ${cutoff}::timestamptz
        and id <> (select id from rate_sets where began_at < ${cutoff}::timestamptz order by began_at desc, id desc limit 1)
        and not exists (
          select from ticks where computed_at < ${cutoff}::timestamptz and (payload->>'rateSet')::bigint = rate_sets.id)
        and not exists (
          select from day_pairs where day >= ${formatInstant(atMs - retainMs - DAY_PAIRS_SERVE_MS)}::timestamptz::date
            and rate_sets.id in ((opens->>'rateSet')::bigint, (before->>'rateSet')::bigint))`);
  await run(sql`
      delete from source_records
      where span = 'quarter' and starts_at < ${formatInstant(atMs - QUARTERS_RETAINED_MS)}::timestamptz
        or span = 'day' and starts_at < ${formatInstant(atMs - DAYS_RETAINED_MS)}::timestamptz`);
  await pruneAnswers(store, atMs);
  await pruneAlerts(run, atMs);
  // Without it the space of deleted rows would never be reused.
  if (store.kind === "pglite")
    await run(sql`vacuum ticks, fx_tables, rate_sets, day_pairs, bars, settlements, writer_fence, idempotency_keys, feed_runs, dealer_quotes, surfaces, beliefs,
      source_records, revisions, corrections, bars_past, settlements_past, fx_tables_past, alerts, alert_revision, alert_cursors, endpoints, deliveries`);
  await checkpoint(store);
};

/** Refreshes the planner's statistics of the large tables; call it after every bulk load. */
export const analyze = async (store: Store): Promise<void> => {
  await store.run(
    (db) =>
      rowsOf(
        db,
        sql`analyze bars, settlements, ticks, fx_tables, rate_sets, revisions, corrections, source_records, bars_past,
      settlements_past, fx_tables_past`,
      ),
    BULK_TIMEOUT_MS,
  );
  await checkpoint(store);
};

/** The size of the whole database on its disk. */
export const readDatabaseBytes = (store: Store): Promise<number> =>
  store.run(async (db) => {
    const [row] = await rowsOf<{ bytes: number }>(db, sql`select pg_database_size(current_database())::float8 as bytes`);
    return row?.bytes ?? 0;
  });
