/** The current state of every series: its newest bar, and its unclosed bars. */
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";
import { WALK_SERIES } from "./series.ts";

/**
 * Reads the newest bar of every series, and its other unclosed bars, in one snapshot.
 * @param sinceMs earlier bars are over, whatever their state
 * @param nowMs bars that begin later are omitted
 * @returns bars by series, oldest first
 */
export const readRunningBars = (store: Store, sinceMs: number, nowMs: number): Promise<BarRow[]> =>
  store.run((db) =>
    rowsOf<BarRow>(
      db,
      sql`
        ${WALK_SERIES}
        select series.symbol, series.interval, (extract(epoch from bar_start) * 1000)::float8 as "barStartMs",
          open::text, high::text, low::text, close::text, volume::text, is_closed as "isClosed", source_id as "sourceId"
        from series cross join lateral (
          (
            select bar_start, open, high, low, close, volume, is_closed, source_id from bars
            where bars.symbol = series.symbol and bars.interval = series.interval
              and bar_start <= ${formatInstant(nowMs)}::timestamptz
            order by bar_start desc limit 1
          )
          union
          (
            select bar_start, open, high, low, close, volume, is_closed, source_id from bars
            where bars.symbol = series.symbol and bars.interval = series.interval and not is_closed
              and bar_start between ${formatInstant(sinceMs)}::timestamptz and ${formatInstant(nowMs)}::timestamptz
          )
        ) as running
        order by series.symbol, series.interval, bar_start`,
    ),
  );
