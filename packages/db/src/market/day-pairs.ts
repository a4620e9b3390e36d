/** How days began. */
import type { CalendarDay, DayPair } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { unnest, unnestJson } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

/** Reads the pairs of days from a day on, oldest first. */
export const readDayPairs = (store: Store, fromDay: CalendarDay): Promise<DayPair[]> =>
  store.run((db) =>
    rowsOf<DayPair>(
      db,
      sql`
        select instrument, day::text as day, opens, before from day_pairs
        where day >= ${fromDay}::text::date order by day, instrument`,
    ),
  );

/** The insert of pairs, to run behind the fence; empty for none. A day begins once. */
export const insertOfDayPairs = (pairs: readonly DayPair[]): SQL[] =>
  pairs.length === 0
    ? []
    : [
        sql`
          insert into day_pairs (instrument, day, opens, before)
          select
            ${unnest(pairs, ({ instrument }) => instrument, "text")},
            ${unnest(pairs, ({ day }) => day, "date")},
            ${unnestJson(pairs.map(({ opens }) => opens))},
            nullif(${unnestJson(pairs.map(({ before }) => before))}::text, 'null')::json
          from fence
          on conflict (instrument, day) do nothing`,
      ];
