/** The belief states of published prices, and the newest closed bar of a series. */
import { INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import type { BeliefState, Instrument } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/** The state of every published instrument. */
export const readBeliefs = async (store: Store): Promise<Map<Instrument, BeliefState>> => {
  const rows = await store.run((db) => rowsOf<{ document: string }>(db, sql`select document::text from beliefs`));
  const states = rows.map(({ document }): BeliefState => JSON.parse(document)); // written by our own writer in this shape
  return new Map(states.map((state) => [state.instrument, state]));
};

/** Which close of a series to find. */
export interface WantedClose {
  readonly symbol: string;
  /** A source whose bars are ignored; null for none. */
  readonly except: string | null;
  /** Only bars that end later; null for any, which reads every bar where all are of the ignored source. */
  readonly afterMs: number | null;
}

/** A close, its time, and the source of its bar. */
export interface NewestClose {
  readonly price: string;
  readonly atMs: number;
  readonly sourceId: string;
}

/**
 * Reads the close of the newest closed bar of each series, at any interval.
 * @returns by symbol; series without one are omitted
 */
export const readNewestCloses = async (store: Store, wanted: readonly WantedClose[]): Promise<Map<string, NewestClose>> => {
  const each = wanted.flatMap(({ symbol, except, afterMs }) =>
    INTERVALS.map((interval) => {
      const after = afterMs === null ? "-infinity" : formatInstant(afterMs - INTERVAL_MS[interval]);
      return { symbol, ignored: except, interval, after };
    }),
  );
  const rows = await store.run((db) =>
    rowsOf<{ symbol: string; interval: Interval; close: string; startMs: number; sourceId: string }>(
      db,
      sql`
        select wanted.symbol, wanted.interval, close::text, (extract(epoch from bar_start) * 1000)::float8 as "startMs",
          source_id as "sourceId"
        from json_to_recordset(${JSON.stringify(each)}::text::json)
            as wanted (symbol text, ignored text, interval text, after timestamptz),
          lateral (
            select bar_start, close, source_id from bars
            where bars.symbol = wanted.symbol and bars.interval = wanted.interval and bar_start > wanted.after and is_closed
              and source_id is distinct from wanted.ignored
            order by bar_start desc limit 1
          ) as newest`,
    ),
  );
  const newest = new Map<string, NewestClose>();
  for (const { symbol, interval, close, startMs, sourceId } of rows) {
    const atMs = startMs + INTERVAL_MS[interval];
    if (atMs > (newest.get(symbol)?.atMs ?? Number.NEGATIVE_INFINITY)) newest.set(symbol, { price: close, atMs, sourceId });
  }
  return newest;
};
