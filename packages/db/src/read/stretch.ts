/** All bars of a series in a time range, at several intervals at once. */
import type { Interval } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/**
 * Reads the bars that begin in a time range, oldest first.
 * @param untilMs exclusive
 */
export const readStretch = (
  store: Store,
  symbol: string,
  intervals: readonly Interval[],
  fromMs: number,
  untilMs: number,
): Promise<BarRow[]> =>
  store.run((db) =>
    rowsOf<BarRow>(
      db,
      sql`
        select symbol, interval, (extract(epoch from bar_start) * 1000)::float8 as "barStartMs",
          open::text, high::text, low::text, close::text, volume::text, is_closed as "isClosed", source_id as "sourceId"
        from bars
        where symbol = ${symbol} and interval = any(${`{${intervals.join(",")}}`}::text::text[])
          and bar_start >= ${formatInstant(fromMs)}::timestamptz and bar_start < ${formatInstant(untilMs)}::timestamptz
        order by bar_start`,
    ),
  );
