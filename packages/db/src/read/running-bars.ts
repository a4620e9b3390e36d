/** The current state of every series: its newest bar, and its unclosed bars. */
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";
import { readBarRows } from "./bar-rows.ts";
import { WALK_SERIES } from "./series.ts";

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
