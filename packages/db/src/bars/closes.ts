/** Closes of bars: of every settled day, the input of ratios, and the newest of each series. */
import { type DecimalText, INTERVAL_MS, INTERVALS, type Interval } from "@assay/contract";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { instantWithin, type StandingDays, standingRows } from "../statements/ledger.ts";
import { linesOf, rowsOf, type Store, textOf } from "../store.ts";

/** The close of one settled UTC day, unrounded. */
export interface DailyClose {
  readonly dayStartMs: number;
  readonly close: DecimalText;
}

/** The closes of a series, and the newest revision of the ledger when they were read. */
export interface Closes {
  readonly closes: DailyClose[];
  readonly revision: number;
}

/** One text for all days: the embedded engine is slow to return rows. */
const readDays = async (store: Store, bars: SQL): Promise<Closes> => {
  const [lines, revision] = await store.readRow(sql`
    select string_agg((extract(epoch from bar_start) * 1000)::int8 || ' ' || close, E'\n' order by bar_start),
      (select ledger_revision from writer_fence)
    from ${bars}`);
  const closes = linesOf(lines).map((line) => {
    const [dayStartMs = "", close = ""] = line.split(" ");
    return { dayStartMs: Number(dayStartMs), close };
  });
  return { closes, revision: Number(textOf(revision)) };
};

/** Reads the close of every closed daily bar of a series, oldest first. */
export const readCloses = (store: Store, symbol: string): Promise<Closes> =>
  readDays(store, sql`bars where symbol = ${symbol} and interval = '1d' and is_closed`);

/** The same within days, as they stood at a revision. */
export const readStandingCloses = async (
  store: Store,
  symbol: string,
  { revision, fromMs, toMs }: StandingDays,
): Promise<DailyClose[]> => {
  const days = sql`symbol = ${symbol} and interval = '1d'
    and bar_start between ${instantWithin(fromMs)} and ${instantWithin(toMs)}`;
  return (await readDays(store, sql`${standingRows("bars", revision, days)} as stood`)).closes;
};

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
