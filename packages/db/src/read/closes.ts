/** Closes of settled days, the input of ratios. */
import type { DecimalText } from "@assay/contract";
import { sql } from "drizzle-orm";
import { rowsOf, type Store } from "../store.ts";

/** The close of one settled UTC day, unrounded. */
export interface DailyClose {
  readonly dayStartMs: number;
  readonly close: DecimalText;
}

/** Reads the close of every closed daily bar of a series, oldest first. */
export const readDailyCloses = (store: Store, symbol: string): Promise<DailyClose[]> =>
  store.run((db) =>
    rowsOf<DailyClose>(
      db,
      sql`
        select (extract(epoch from bar_start) * 1000)::float8 as "dayStartMs", close::text
        from bars where symbol = ${symbol} and interval = '1d' and is_closed order by bar_start`,
    ),
  );
