/** Writes bars to the store, thousands of rows per statement. */

import type { Interval } from "@assay/contract";
import { type BarRow, TICK_SOURCES } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { StoreQueryError } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import type { RevisionReason } from "../schema/records.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { unnest, unnestOrOnly } from "../statements/values.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";
import { type BarLines, barsOfLines, LINES_AT_ONCE } from "./bar-lines.ts";
import { copyBars, copyLines } from "./copy.ts";

/** Rows per statement. */
const BATCH = LINES_AT_ONCE;

/** Below this many rows, checking for existing bars is not worthwhile. */
const WORTH_LOOKING = 500;

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const compare = (a: BarRow, b: BarRow) =>
  compareText(a.symbol, b.symbol) || compareText(a.interval, b.interval) || a.barStartMs - b.barStartMs;

/**
 * One row per bar in key order: a statement cannot touch a row twice, and writers that lock rows in the same order cannot
 * deadlock. The last row of a bar wins, but a forming one never replaces a closed one.
 */
const barsInKeyOrder = (rows: readonly BarRow[]): readonly BarRow[] => {
  if (rows.every((row, index) => index === 0 || compare(rows[index - 1] ?? row, row) < 0)) return rows;
  const kept: BarRow[] = [];
  for (const row of rows.toSorted(compare)) {
    const last = kept.at(-1);
    if (!last || compare(last, row) !== 0) kept.push(row);
    else if (row.isClosed || !last.isClosed) kept[kept.length - 1] = row;
  }
  return kept;
};

/** Replaces an existing bar; an identical one is not rewritten. */
const REPLACE = sql`
  on conflict (symbol, interval, bar_start) do update set
    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
    volume = excluded.volume, is_closed = excluded.is_closed, source_id = excluded.source_id, revision = excluded.revision
  where (stored.open, stored.high, stored.low, stored.close, stored.volume, stored.is_closed, stored.source_id)
    is distinct from (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume, excluded.is_closed,
      excluded.source_id)`;

/** Handling of existing bars. A corrected bar replaces the old one, a forming one never a closed one. */
const ON_CONFLICT = sql`${REPLACE} and (excluded.is_closed or not stored.is_closed)`;

/** The same for a moment's bars; bars made from ticks never replace a closed one either. */
const ON_CONFLICT_OF_MOMENT = sql`${REPLACE}
  and (not stored.is_closed or (excluded.is_closed and excluded.source_id <> all (${`{${TICK_SOURCES.join(",")}}`}::text::text[])))`;

/** The reason for a revision, if rows need one: forming bars have none. */
const recordsOf = (rows: readonly BarRow[], reason: RevisionReason): RevisionReason | undefined =>
  rows.some(({ isClosed }) => isClosed) ? reason : undefined;

/** The insert of rows in key order, to run behind the fence. */
const insertionOf = (rows: readonly BarRow[], onConflict: SQL) => sql`
  insert into bars as stored (symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id, revision)
  select
    ${unnestOrOnly(rows, (row) => row.symbol, "text")},
    ${unnestOrOnly(rows, (row) => row.interval, "text")},
    ${unnest(rows, (row) => formatInstant(row.barStartMs), "timestamptz")},
    ${unnest(rows, (row) => row.open, "numeric")},
    ${unnest(rows, (row) => row.high, "numeric")},
    ${unnest(rows, (row) => row.low, "numeric")},
    ${unnest(rows, (row) => row.close, "numeric")},
    ${unnestOrOnly(rows, (row) => row.volume, "numeric")},
    ${unnestOrOnly(rows, (row) => (row.isClosed ? "t" : "f"), "boolean")},
    ${unnestOrOnly(rows, (row) => row.sourceId, "text")},
    revision
  from fence ${onConflict}`;

/** The upsert of a moment's bars, to run behind the fence; empty for no rows. */
export const upsertOfMoment = (rows: readonly BarRow[]): SQL[] =>
  rows.length === 0 ? [] : [insertionOf(barsInKeyOrder(rows), ON_CONFLICT_OF_MOMENT)];

export interface BarWriting {
  readonly writer?: WriterToken;
  readonly reason?: RevisionReason;
  /** Whether none of the bars is stored; looked up when omitted. */
  readonly isFree?: boolean;
}

/** From the first to the last bar of one series. */
interface BarRange {
  readonly symbol: string;
  readonly interval: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The range of each series covered by rows in key order. */
const rangesOf = (ordered: readonly BarRow[]): BarRange[] => {
  const ranges: BarRange[] = [];
  let first = ordered[0];
  let last = first;
  const end = (): void => {
    if (first && last)
      ranges.push({ symbol: first.symbol, interval: first.interval, fromMs: first.barStartMs, toMs: last.barStartMs });
  };
  for (const bar of ordered) {
    if (bar.symbol !== first?.symbol || bar.interval !== first.interval) {
      end();
      first = bar;
    }
    last = bar;
  }
  end();
  return ranges;
};

/** Whether any bar exists in the target ranges. */
const isAnyThere = async (store: Store, rows: readonly BarRow[]) => {
  for (const { symbol, interval, fromMs, toMs } of rangesOf(rows)) {
    const query = sql`
      select 1 from bars where symbol = ${symbol} and interval = ${interval}
        and bar_start between ${formatInstant(fromMs)}::timestamptz and ${formatInstant(toMs)}::timestamptz limit 1`;
    if ((await store.run((db) => rowsOf(db, query))).length > 0) return true;
  }
  return false;
};

/**
 * Writes bars: corrections overwrite, identical rows are left alone, and a forming bar never replaces a closed one. They are
 * written by symbol, interval and time, so that what is stored after a failure has no gap before its newest bar. Where no bars
 * exist yet they are copied, or inserted without conflict checks, which is faster.
 * @param options.writer passes the fence with each statement
 * @param options.reason what a correction says of itself; an import by default
 * @throws StaleTokenError when a newer writer has written since; earlier statements stay
 */
export const upsertBars = async (
  store: Store,
  rows: readonly BarRow[],
  { writer, reason = "import", isFree: isKnownFree }: BarWriting = {},
): Promise<void> => {
  const ordered = barsInKeyOrder(rows);
  const isFree = isKnownFree ?? (ordered.length >= WORTH_LOOKING && !(await isAnyThere(store, ordered)));
  const write = async (part: readonly BarRow[], statement: SQL, isFollowed: boolean) => {
    const records = recordsOf(part, reason);
    const send = (insertion: SQL) =>
      insertBehindFence(store, writer, [insertion], { timeoutMs: BULK_TIMEOUT_MS, isFollowed, records });
    try {
      await send(statement);
    } catch (error) {
      // Another process inserted a bar after the check.
      if (!(isFree && error instanceof StoreQueryError && error.code === "23505")) throw error;
      await send(insertionOf(part, ON_CONFLICT));
    }
  };

  if (isFree && store.copyText && (await copyBars(store, store.copyText, ordered, writer))) return;
  let inFlight = Promise.resolve();
  for (let start = 0; start < ordered.length; start += BATCH) {
    // Let the previous statement be sent, and build the next while it is written.
    await store.turn();
    const part = ordered.slice(start, start + BATCH);
    const statement = insertionOf(part, isFree ? sql`` : ON_CONFLICT);
    await inFlight;
    inFlight = write(part, statement, start + BATCH < ordered.length);
    // Awaited a turn later; until then its rejection must not count as unhandled.
    inFlight.catch(() => {});
  }
  await inFlight;
};

/** Writes bars given as lines, which are probably new: like `upsertBars`, without looking for existing ones first. */
export const writeBarLines = async (store: Store, lines: readonly BarLines[], options: BarWriting = {}): Promise<void> => {
  const { copyText } = store;
  if (!copyText) return upsertBars(store, lines.flatMap(barsOfLines), options);
  for (const part of lines)
    if (!(await copyLines(store, copyText, part, options.writer))) await upsertBars(store, barsOfLines(part), options);
};

export interface BarKey {
  readonly interval: Interval;
  readonly barStartMs: number;
}

const removal = (symbol: string, keys: readonly BarKey[]): SQL => sql`
  delete from bars using (
    select ${unnest(keys, ({ interval }) => interval, "text")} as interval,
      ${unnest(keys, ({ barStartMs }) => formatInstant(barStartMs), "timestamptz")} as bar_start
    from fence
  ) as gone
  where bars.symbol = ${symbol} and bars.interval = gone.interval and bars.bar_start = gone.bar_start`;

/** Removes bars of a series and inserts others, to run behind the fence. */
export const replacementOf = (symbol: string, removed: readonly BarKey[], written: readonly BarRow[]): SQL[] => [
  ...(removed.length > 0 ? [removal(symbol, removed)] : []),
  ...(written.length > 0 ? [insertionOf(barsInKeyOrder(written), REPLACE)] : []),
];

/**
 * Removes bars and writes others, all or nothing.
 * @param removed bars that are not among the written ones
 * @param written bars of the same series; overwrite closed ones too
 * @param revises the revision of bars this is based on; omitted where no writer runs
 * @throws BarsRevisedError when bars were written since that revision; nothing is stored
 */
export const replaceBars = async (
  store: Store,
  symbol: string,
  removed: readonly BarKey[],
  written: readonly BarRow[],
  revises?: number,
): Promise<void> => {
  const steps = replacementOf(symbol, removed, written);
  if (steps.length > 0) {
    await insertBehindFence(store, undefined, steps, {
      timeoutMs: BULK_TIMEOUT_MS,
      // Also where only forming bars are written: they may replace closed ones.
      records: "import",
      ...(revises === undefined ? {} : { revises }),
    });
  }
};

/**
 * Closes the forming bars of some UTC days that have a newer bar of their series behind them.
 * @param daysMs the starts of the days
 * @returns the days that had one
 */
export const closeOldBars = async (
  store: Store,
  symbol: string,
  intervals: readonly Interval[],
  daysMs: readonly number[],
): Promise<number[]> => {
  if (daysMs.length === 0) return [];
  const days = sql`unnest(${`{${daysMs.map(formatInstant).join(",")}}`}::text::timestamptz[]) as day`;
  const isOld = sql`symbol = ${symbol} and interval = any(${`{${intervals.join(",")}}`}::text::text[])
    and bar_start >= day and bar_start < day + interval '1 day' and not is_closed and exists (
      select from bars as newer
      where newer.symbol = bars.symbol and newer.interval = bars.interval and newer.bar_start > bars.bar_start
    )`;
  const old = await store.run((db) =>
    rowsOf<{ dayMs: number }>(
      db,
      sql`select distinct (extract(epoch from day) * 1000)::float8 as "dayMs" from bars, ${days} where ${isOld}`,
    ),
  );
  if (old.length > 0) {
    const closing = sql`update bars set is_closed = true, revision = fence.revision from fence, ${days} where ${isOld}`;
    await insertBehindFence(store, undefined, [closing], { revises: true, records: "import" });
  }
  return old.map(({ dayMs }) => dayMs);
};
