/** Which yearly archives were built, and which of them bars were replaced in since. */
import { INTERVALS, type Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { archives } from "../schema/records.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { rowsOf, type Store } from "../store.ts";

/** The state of one year of one series. */
export interface ArchiveRecord {
  readonly symbol: string;
  readonly interval: Interval;
  readonly year: number;
  /** How many bulk replacements of its bars there were, and how many when the archive was built. */
  readonly changes: number;
  readonly builtChanges: number | null;
  /** Epoch milliseconds; null before the first build. */
  readonly builtAtMs: number | null;
  /** Bars in it; null before the first build. */
  readonly rows: number | null;
}

/** Every year of every series that was archived or changed. */
export const readArchives = (store: Store): Promise<ArchiveRecord[]> =>
  store.run(async (db): Promise<ArchiveRecord[]> => db.select().from(archives));

export interface BuiltArchive {
  readonly symbol: string;
  readonly interval: Interval;
  readonly year: number;
  /** The count of changes before its bars were read. */
  readonly builtChanges: number;
  readonly builtAtMs: number;
  readonly rows: number;
}

/**
 * Records an archive; call it once the archive is stored.
 * @throws StaleTokenError when a newer writer has written since
 */
export const recordArchive = async (store: Store, writer: WriterToken, built: BuiltArchive): Promise<void> => {
  const { symbol, interval, year, builtChanges, builtAtMs, rows } = built;
  await insertBehindFence(store, writer, [
    sql`
      insert into archives as stored (symbol, interval, year, changes, built_changes, built_at, rows)
      select ${symbol}, ${interval}, ${String(year)}::text::integer, ${String(builtChanges)}::text::bigint,
        ${String(builtChanges)}::text::bigint, ${formatInstant(builtAtMs)}::text::timestamptz, ${String(rows)}::text::bigint
      from fence
      on conflict (symbol, interval, year) do update set
        built_changes = excluded.built_changes, built_at = excluded.built_at, rows = excluded.rows`,
  ]);
};

/**
 * Records that bars of a series were replaced in bulk, at any interval, so that the archives of those years are rebuilt.
 * @param fromMs the first of them, epoch milliseconds
 * @param toMs the last of them
 */
export const noteReplacedBars = async (store: Store, symbol: string, fromMs: number, toMs: number): Promise<void> => {
  const yearOf = (ms: number): string => String(new Date(ms).getUTCFullYear());
  await store.run((db) =>
    rowsOf(
      db,
      sql`
        insert into archives as stored (symbol, interval, year, changes)
        select ${symbol}, interval, year, 1
        from unnest(${`{${INTERVALS.join(",")}}`}::text::text[]) as interval,
          generate_series(${yearOf(fromMs)}::text::integer, ${yearOf(toMs)}::text::integer) as year
        on conflict (symbol, interval, year) do update set changes = stored.changes + 1`,
    ),
  );
};
