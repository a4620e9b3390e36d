/** The belief states of published prices, and the newest closed bar of a series. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import type { BeliefState, Instrument } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { rowsOf, type Store } from "../store.ts";

/** The state of every published instrument. */
export const readBeliefs = async (store: Store): Promise<Map<Instrument, BeliefState>> => {
  const rows = await store.run((db) => rowsOf<{ document: string }>(db, sql`select document::text from beliefs`));
  const states = rows.map(({ document }): BeliefState => JSON.parse(document)); // written by our own writer in this shape
  return new Map(states.map((state) => [state.instrument, state]));
};

/** A close, its time, and the source of its bar. */
export interface NewestClose {
  readonly price: string;
  readonly atMs: number;
  readonly sourceId: string;
}

/**
 * Reads the close of the newest closed bar of a series, at any interval.
 * @param except a source whose bars are ignored; null for none
 * @returns null when there is none
 */
export const readNewestClose = async (store: Store, symbol: string, except: string | null): Promise<NewestClose | null> => {
  const rows = await store.run((db) =>
    rowsOf<{ interval: Interval; close: string; startMs: number; sourceId: string }>(
      db,
      sql`
        select each_interval as interval, close::text, (extract(epoch from bar_start) * 1000)::float8 as "startMs", source_id as "sourceId"
        from unnest(${`{${INTERVALS.join(",")}}`}::text::text[]) as each_interval,
          lateral (
            select bar_start, close, source_id from bars
            where symbol = ${symbol} and interval = each_interval and is_closed and close is not null
              and source_id is distinct from ${except}::text
            order by bar_start desc limit 1
          ) as newest`,
    ),
  );
  const ends = rows.map(({ interval, close, startMs, sourceId }) => ({
    price: close,
    atMs: startMs + INTERVAL_MS[interval],
    sourceId,
  }));
  return ends.sort((left, right) => right.atMs - left.atMs)[0] ?? null;
};
