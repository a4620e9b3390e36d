/** The stored series, and how many bars each has of a day. */
import { DAY_MS, type DecimalText, INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { instantWithin } from "../statements/ledger.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";

export interface SeriesSource {
  readonly symbol: string;
  readonly interval: Interval;
  /** The source of its newest bar. */
  readonly sourceId: string;
  readonly oldestStartMs: number;
  readonly latestStartMs: number;
}

/**
 * Every stored series, as `series`: skips from one to the next through the primary key, so the cost depends on the number of
 * series, not of bars.
 */
export const WALK_SERIES = sql`
  with recursive series as (
    (select symbol, interval from bars order by symbol, interval limit 1)
    union all
    select next.symbol, next.interval from series cross join lateral (
      select symbol, interval from bars where (bars.symbol, bars.interval) > (series.symbol, series.interval)
      order by symbol, interval limit 1
    ) as next
  )`;

/** Lists the stored series, each with the source and start of its newest bar. */
export const readSeriesSources = (store: Store): Promise<SeriesSource[]> =>
  store.run((db) =>
    rowsOf<SeriesSource>(
      db,
      sql`
        ${WALK_SERIES}
        select symbol, interval, newest.source_id as "sourceId",
          (extract(epoch from oldest.bar_start) * 1000)::float8 as "oldestStartMs",
          (extract(epoch from newest.bar_start) * 1000)::float8 as "latestStartMs"
        from series
        cross join lateral (
          select bar_start, source_id from bars
          where bars.symbol = series.symbol and bars.interval = series.interval order by bar_start desc limit 1
        ) as newest
        cross join lateral (
          select bar_start from bars
          where bars.symbol = series.symbol and bars.interval = series.interval order by bar_start limit 1
        ) as oldest
        order by symbol, interval`,
    ),
  );

export const hasBarsOf = async (
  store: Store,
  { symbol, interval, sourceId }: { readonly symbol: string; readonly interval: Interval; readonly sourceId: string },
): Promise<boolean> => {
  const rows = await store.run((db) =>
    rowsOf<object>(
      db,
      sql`select 1 from bars where symbol = ${symbol} and interval = ${interval} and source_id = ${sourceId} limit 1`,
    ),
  );
  return rows.length > 0;
};

export interface StoredSymbol {
  readonly symbol: string;
  /** The close of its newest daily bar, forming or closed; null without daily bars. */
  readonly newestClose: DecimalText | null;
}

/** Lists the symbols with stored bars, in alphabetical order; like the series, at the cost of their number. */
export const readStoredSymbols = (store: Store): Promise<StoredSymbol[]> =>
  store.run((db) =>
    rowsOf<StoredSymbol>(
      db,
      sql`
        with recursive stored as (
          (select symbol from bars order by symbol limit 1)
          union all
          select next.symbol from stored cross join lateral (
            select symbol from bars where bars.symbol > stored.symbol order by symbol limit 1
          ) as next
        )
        select symbol, (
          select close::text from bars where bars.symbol = stored.symbol and interval = '1d' order by bar_start desc limit 1
        ) as "newestClose"
        from stored order by symbol`,
    ),
  );

/** When the oldest bar of each interval of a series starts; intervals without bars are omitted. */
export const readOldestStarts = async (store: Store, symbol: string): Promise<Map<Interval, number>> => {
  const rows = await store.run((db) =>
    rowsOf<{ interval: Interval; startMs: number }>(
      db,
      sql`
        select interval, (extract(epoch from bar_start) * 1000)::float8 as "startMs"
        from unnest(${`{${INTERVALS.join(",")}}`}::text::text[]) as interval, lateral (
          select bar_start from bars where bars.symbol = ${symbol} and bars.interval = interval.interval order by bar_start limit 1
        ) as oldest`,
    ),
  );
  return new Map(rows.map(({ interval, startMs }) => [interval, startMs]));
};

export interface DayBarsWindow {
  readonly symbol: string;
  readonly interval: Interval;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Only bars that had ended by then. */
  readonly asOfMs: number;
}

export interface DayBars {
  readonly present: number;
  /** The newest revision of the ledger that wrote one of them; 0 when all are from before it. */
  readonly lastRevision: number;
}

/** Counts the closed bars that start on each UTC day, by the day's start; days without any are omitted. */
export const readDayBars = async (
  store: Store,
  { symbol, interval, fromMs, toMs, asOfMs }: DayBarsWindow,
): Promise<Map<number, DayBars>> => {
  const lastMs = Math.min(toMs - 1, asOfMs - INTERVAL_MS[interval]);
  const rows = await store.run(
    (db) =>
      rowsOf<DayBars & { day: number }>(
        db,
        sql`
          select floor(extract(epoch from bar_start) / 86400)::float8 as day, count(*)::float8 as present,
            max(coalesce(copied.revision, bars.revision))::float8 as "lastRevision"
          from bars left join revisions as copied on bars.revision < 0 and copied.copy = bars.revision
          where symbol = ${symbol} and interval = ${interval} and is_closed
            and bar_start between ${instantWithin(fromMs)} and ${instantWithin(lastMs)}
          group by 1`,
      ),
    BULK_TIMEOUT_MS,
  );
  return new Map(rows.map(({ day, present, lastRevision }) => [day * DAY_MS, { present, lastRevision }]));
};
