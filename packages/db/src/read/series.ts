/** The stored series. */
import type { Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { rowsOf, type Store } from "../store.ts";

/** One stored series. */
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

/** Whether a series has bars of a source. */
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
