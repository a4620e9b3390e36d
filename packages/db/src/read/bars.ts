/** Stored bars as rows. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/** A window of one series, both ends inclusive. */
export interface BarWindow {
  readonly symbol: string;
  readonly interval: Interval;
  readonly fromMs: number;
  readonly toMs: number;
  /** Maximum number of rows. */
  readonly limit: number;
}

const select = (window: BarWindow, order: SQL) => sql`
  select symbol, interval, (extract(epoch from bar_start) * 1000)::float8 as "barStartMs",
    open::text, high::text, low::text, close::text, volume::text, is_closed as "isClosed", source_id as "sourceId"
  from bars
  where symbol = ${window.symbol} and interval = ${window.interval}
    and bar_start between ${formatInstant(window.fromMs)}::timestamptz and ${formatInstant(window.toMs)}::timestamptz
  order by bar_start ${order} limit ${window.limit}`;

/**
 * Reads bars of a window, newest first.
 * @returns at most `limit` rows, unrounded
 */
export const readBars = (store: Store, window: BarWindow): Promise<BarRow[]> =>
  store.run((db) => rowsOf<BarRow>(db, select(window, sql`desc`)));

/**
 * Iterates over a window of any length, oldest first, in batches.
 * @param window its limit is the batch size
 */
export async function* walkBars(store: Store, window: BarWindow): AsyncGenerator<BarRow[]> {
  let fromMs = window.fromMs;
  while (fromMs <= window.toMs) {
    const start = fromMs;
    const batch = await store.run((db) => rowsOf<BarRow>(db, select({ ...window, fromMs: start }, sql`asc`)));
    if (batch.length > 0) yield batch;
    const last = batch.at(-1);
    if (!last || batch.length < window.limit) return;
    fromMs = last.barStartMs + 1;
  }
}

/**
 * Finds the earliest bar of a series at any of the given intervals, from an instant on.
 * @returns its start; null when there is none
 */
export const firstBarFrom = (
  store: Store,
  symbol: string,
  intervals: readonly Interval[],
  fromMs: number,
): Promise<number | null> =>
  store.run(async (db) => {
    const [row] = await rowsOf<{ startMs: number | null }>(
      db,
      sql`
        select (extract(epoch from min(start)) * 1000)::float8 as "startMs"
        from unnest(${`{${intervals.join(",")}}`}::text::text[]) as each_interval,
          lateral (
            select bar_start as start from bars
            where symbol = ${symbol} and interval = each_interval and bar_start >= ${formatInstant(fromMs)}::timestamptz
            order by bar_start limit 1
          ) as earliest`,
    );
    return row?.startMs ?? null;
  });

/** Reads the newest bar of each of the given intervals that has one. */
export const readNewestBars = (store: Store, symbol: string, intervals: readonly Interval[]): Promise<BarRow[]> =>
  store.run((db) =>
    rowsOf<BarRow>(
      db,
      sql`
        select symbol, interval, (extract(epoch from bar_start) * 1000)::float8 as "barStartMs",
          open::text, high::text, low::text, close::text, volume::text, is_closed as "isClosed", source_id as "sourceId"
        from unnest(${`{${intervals.join(",")}}`}::text::text[]) as each_interval,
          lateral (
            select * from bars where symbol = ${symbol} and interval = each_interval order by bar_start desc limit 1
          ) as newest`,
    ),
  );
