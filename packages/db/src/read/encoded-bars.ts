/** Stored bars in wire form, encoded by the database: the fast way to fill a process's cache. */
import type { Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";
import { float64sFrom, int32sFrom } from "./binary.ts";
import { wirePrice, wireStart } from "./wire-figures.ts";

/** Bars of one series, newest first. */
export interface EncodedBars {
  /** JSON objects joined by commas, without brackets. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Start of each bar, epoch milliseconds. */
  readonly startsMs: Float64Array<ArrayBuffer>;
  /** Length of each object in bytes, without the comma. */
  readonly lengths: Int32Array<ArrayBuffer>;
}

const encoded = sql`
  '{"bar_start":"' || ${wireStart}
  || '","open":"' || ${wirePrice("open")} || '","high":"' || ${wirePrice("high")}
  || '","low":"' || ${wirePrice("low")} || '","close":"' || ${wirePrice("close")}
  || '","volume":' || coalesce('"' || trim_scale(volume) || '"', 'null')
  || case when is_closed then ',"is_closed":true}' else ',"is_closed":false}' end`;

/**
 * Reads a series in its wire form with one query.
 * @param sinceMs the earliest bar start; defaults to the whole series
 * @returns empty arrays when there is none
 */
export const readEncodedBars = async (
  store: Store,
  symbol: string,
  interval: Interval,
  sinceMs?: number,
): Promise<EncodedBars> => {
  const since = sinceMs === undefined ? sql`` : sql`and bar_start >= ${formatInstant(sinceMs)}::timestamptz`;
  const [bytes, starts, lengths] = await store.readRow(sql`
    select string_agg(bar, ','),
      string_agg(float8send((extract(epoch from bar_start) * 1000)::float8), ''),
      string_agg(int4send(length(bar)), '')
    from (
      select bar_start, ${encoded} as bar from bars
      where symbol = ${symbol} and interval = ${interval} ${since}
      order by bar_start desc
    ) as newest_first`);
  return { bytes: bytes ?? new Uint8Array(0), startsMs: float64sFrom(starts), lengths: int32sFrom(lengths) };
};
