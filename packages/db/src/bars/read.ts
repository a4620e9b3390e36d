/** Stored bars as rows, unrounded. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { textWithin } from "../statements/ledger.ts";
import { rowsOf, type Store } from "../store.ts";
import { WALK_SERIES } from "./series.ts";

/** The columns of a bar, separated by tabs as in COPY: symbols are ours, and names of sources have neither tabs nor line feeds. */
const line = sql`
  symbol || E'\t' || interval || E'\t' || (extract(epoch from bar_start) * 1000)::int8
  || E'\t' || coalesce(open::text, '') || E'\t' || coalesce(high::text, '') || E'\t' || coalesce(low::text, '') || E'\t' || close || E'\t' || coalesce(volume::text, '')
  || E'\t' || is_closed || E'\t' || source_id`;

const orNull = (figure: string | undefined): string | null => (figure === undefined || figure === "" ? null : figure);

const toBar = (text: string): BarRow => {
  const [symbol = "", interval, startMs, open, high, low, close = "", volume, isClosed, sourceId = ""] = text.split("\t");
  return {
    symbol,
    interval: interval as Interval, // a check of the table
    barStartMs: Number(startMs),
    open: orNull(open),
    high: orNull(high),
    low: orNull(low),
    close,
    volume: orNull(volume),
    isClosed: isClosed === "true",
    sourceId,
  };
};

/**
 * Reads bars, unrounded, as one text: joining it in the database takes a fraction of the time a driver needs to decode columns.
 * @param rows a query for rows of `bars`, in the order they are returned in
 */
const readBarRows = async (store: Store, rows: SQL): Promise<BarRow[]> => {
  const [lines] = await store.readRow(sql`select string_agg(${line}, E'\n') from (${rows}) as bar`);
  return lines ? Buffer.from(lines).toString().split("\n").map(toBar) : [];
};

/** A window of one series, both ends inclusive. */
export interface BarWindow {
  readonly symbol: string;
  readonly interval: Interval;
  readonly fromMs: number;
  readonly toMs: number;
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
 * Reads the newest closed bar of each interval that had ended by an instant.
 * @returns in the order of the intervals; those without one are omitted
 */
export const readBarsEndedBy = async (
  store: Store,
  symbol: string,
  intervals: readonly Interval[],
  atMs: number,
): Promise<BarRow[]> => {
  const lastStarts = intervals.map((interval) => `"${textWithin(atMs - INTERVAL_MS[interval])}"`);
  const bars = await readBarRows(
    store,
    sql`
      select newest.* from unnest(
        ${`{${intervals.join(",")}}`}::text::text[], ${`{${lastStarts.join(",")}}`}::text::timestamptz[]
      ) as wanted (of_interval, last_start), lateral (
        select * from bars where symbol = ${symbol} and interval = of_interval and bar_start <= last_start and is_closed
        order by bar_start desc limit 1
      ) as newest`,
  );
  return intervals.flatMap((interval) => bars.find((bar) => bar.interval === interval) ?? []);
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

/**
 * Reads the newest bar of every series, and its other unclosed bars, in one snapshot.
 * @param sinceMs earlier bars are over, whatever their state
 * @param nowMs bars that begin later are omitted
 * @returns bars by series, oldest first
 */
export const readRunningBars = (store: Store, sinceMs: number, nowMs: number): Promise<BarRow[]> =>
  readBarRows(
    store,
    sql`
      ${WALK_SERIES}
      select running.* from series cross join lateral (
        (
          select * from bars
          where bars.symbol = series.symbol and bars.interval = series.interval
            and bar_start <= ${formatInstant(nowMs)}::timestamptz
          order by bar_start desc limit 1
        )
        union
        (
          select * from bars
          where bars.symbol = series.symbol and bars.interval = series.interval and not is_closed
            and bar_start between ${formatInstant(sinceMs)}::timestamptz and ${formatInstant(nowMs)}::timestamptz
        )
      ) as running
      order by running.symbol, running.interval, running.bar_start`,
  );

/**
 * Reads the bars of the day after an instant that cannot be there yet, because a clock was ahead: closed ones that end after it, and
 * all that start after it. Those further ahead are of another time, such as a rehearsal's.
 * @returns bars by series, oldest first
 */
export const readBarsAhead = (store: Store, atMs: number): Promise<BarRow[]> => {
  const at = sql`${formatInstant(atMs)}::timestamptz`;
  const endsAfter = INTERVALS.map(
    (each) => sql`(interval = ${each} and bar_start > ${formatInstant(atMs - INTERVAL_MS[each])}::timestamptz)`,
  );
  return readBarRows(
    store,
    sql`
      ${WALK_SERIES}
      select ahead.* from series cross join lateral (
        select * from bars
        where bars.symbol = series.symbol and bars.interval = series.interval
          and bar_start between ${at} - interval '1 day' and ${at} + interval '1 day'
          and (bar_start > ${at} or is_closed) and (${sql.join(endsAfter, sql` or `)})
      ) as ahead
      order by ahead.symbol, ahead.interval, ahead.bar_start`,
  );
};
