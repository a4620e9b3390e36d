/** Stored bars as rows. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";
import { readBarRows } from "./bar-rows.ts";

/** A window of one series, both ends inclusive. */
export interface BarWindow {
  readonly symbol: string;
  readonly interval: Interval;
  readonly fromMs: number;
  readonly toMs: number;
  /** Maximum number of rows. */
  readonly limit: number;
}

/**
 * Reads bars of a window, newest first.
 * @returns at most `limit` rows, unrounded
 */
export const readBars = (store: Store, { symbol, interval, fromMs, toMs, limit }: BarWindow): Promise<BarRow[]> =>
  readBarRows(
    store,
    sql`
      select * from bars
      where symbol = ${symbol} and interval = ${interval}
        and bar_start between ${formatInstant(fromMs)}::timestamptz and ${formatInstant(toMs)}::timestamptz
      order by bar_start desc limit ${limit}`,
  );

/**
 * Reads the bars that begin in a time range at several intervals, oldest first.
 * @param untilMs exclusive
 */
export const readStretch = (
  store: Store,
  symbol: string,
  intervals: readonly Interval[],
  fromMs: number,
  untilMs: number,
): Promise<BarRow[]> =>
  readBarRows(
    store,
    sql`
      select * from bars
      where symbol = ${symbol} and interval = any(${`{${intervals.join(",")}}`}::text::text[])
        and bar_start >= ${formatInstant(fromMs)}::timestamptz and bar_start < ${formatInstant(untilMs)}::timestamptz
      order by bar_start`,
  );

/** Which of the newest bars to read. */
export interface Newest {
  /** How many at most of an interval; one by default. */
  readonly countOf?: (interval: Interval) => number;
  /** Bars that begin later are omitted; none by default. */
  readonly untilMs?: number;
}

/**
 * Reads the newest bars of several intervals.
 * @returns the bars of each interval together, newest first
 */
export const readNewestBars = (
  store: Store,
  symbol: string,
  intervals: readonly Interval[],
  { countOf = () => 1, untilMs }: Newest = {},
): Promise<BarRow[]> => {
  const until = untilMs === undefined ? sql`` : sql`and bar_start <= ${formatInstant(untilMs)}::timestamptz`;
  return readBarRows(
    store,
    sql`
      select newest.* from unnest(
        ${`{${intervals.join(",")}}`}::text::text[], ${`{${intervals.map(countOf).join(",")}}`}::text::int[]
      ) as wanted (of_interval, count), lateral (
        select * from bars where symbol = ${symbol} and interval = of_interval ${until}
        order by bar_start desc limit wanted.count
      ) as newest`,
  );
};

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
