/** Writes bars to the store, thousands of rows per statement. */
import { setImmediate } from "node:timers/promises";
import { type BarRow, TICK_SOURCES } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { StoreQueryError } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import { BULK_TIMEOUT_MS, rowsOf, type Store } from "../store.ts";
import { type BarLines, barLines, barsOfLines, COPIED_COLUMNS, LINES_AT_ONCE } from "./bar-lines.ts";
import { barsInKeyOrder, rangesOf } from "./bar-order.ts";
import { unnest, unnestOrOnly } from "./columns.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/** Rows per statement. */
const BATCH = LINES_AT_ONCE;

/** Below this many rows, checking for existing bars is not worthwhile. */
const WORTH_LOOKING = 500;

/** Replaces an existing bar; an identical one is not rewritten. */
export const REPLACE = sql`
  on conflict (symbol, interval, bar_start) do update set
    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
    volume = excluded.volume, is_closed = excluded.is_closed, source_id = excluded.source_id
  where (stored.open, stored.high, stored.low, stored.close, stored.volume, stored.is_closed, stored.source_id)
    is distinct from (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume, excluded.is_closed,
      excluded.source_id)`;

/** Handling of existing bars. A corrected bar replaces the old one, a forming one never a closed one. */
const ON_CONFLICT = sql`${REPLACE} and (excluded.is_closed or not stored.is_closed)`;

/** The same for a moment's bars; bars made from ticks never replace a closed one either. */
const ON_CONFLICT_OF_MOMENT = sql`${REPLACE}
  and (not stored.is_closed or (excluded.is_closed and excluded.source_id <> all (${`{${TICK_SOURCES.join(",")}}`}::text::text[])))`;

/** The insert of rows in key order, to run behind the fence. */
export const insertionOf = (rows: readonly BarRow[], onConflict: SQL) => sql`
  insert into bars as stored (symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id)
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
    ${unnestOrOnly(rows, (row) => row.sourceId, "text")}
  from fence ${onConflict}`;

/** The upsert of a moment's bars, to run behind the fence; empty for no rows. */
export const upsertOfMoment = (rows: readonly BarRow[]): SQL[] =>
  rows.length === 0 ? [] : [insertionOf(barsInKeyOrder(rows), ON_CONFLICT_OF_MOMENT)];

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
 * Copies lines where no bar exists, in half the time of inserts. The fence is passed before the statement, not within: the
 * engine that copies from memory has a single process, whose terms follow one another.
 * @returns false when a bar existed after all; then none is stored
 */
const copyLines = async (
  store: Store,
  copyText: NonNullable<Store["copyText"]>,
  lines: BarLines,
  writer: WriterToken | undefined,
): Promise<boolean> => {
  if (writer) await insertBehindFence(store, writer, []);
  try {
    await copyText(`copy bars (${COPIED_COLUMNS}) from '/dev/blob'`, lines.text);
  } catch (error) {
    if (error instanceof StoreQueryError && error.code === "23505") return false;
    throw error;
  }
  // The embedded engine answers without yielding to the event loop.
  await setImmediate();
  return true;
};

/** @returns false when a bar existed after all; then the rows of earlier statements are stored */
const copyBars = async (
  store: Store,
  copyText: NonNullable<Store["copyText"]>,
  rows: readonly BarRow[],
  writer: WriterToken | undefined,
): Promise<boolean> => {
  for (const lines of barLines(rows)) if (!(await copyLines(store, copyText, lines, writer))) return false;
  return true;
};

/**
 * Writes bars: corrections overwrite, identical rows are left alone, and a forming bar never replaces a closed one. They are
 * written by symbol, interval and time, so that what is stored after a failure has no gap before its newest bar. Where no bars
 * exist yet they are copied, or inserted without conflict checks, at twice the speed and more.
 * @param options.writer passes the fence with each statement
 * @throws StaleTokenError when a newer writer has written since; earlier statements stay
 */
export const upsertBars = async (
  store: Store,
  rows: readonly BarRow[],
  options: { readonly writer?: WriterToken } = {},
): Promise<void> => {
  const ordered = barsInKeyOrder(rows);
  const isFree = ordered.length >= WORTH_LOOKING && !(await isAnyThere(store, ordered));
  const write = async (part: readonly BarRow[], statement: SQL, isFollowed: boolean) => {
    const send = (insertion: SQL) =>
      insertBehindFence(store, options.writer, [insertion], { timeoutMs: BULK_TIMEOUT_MS, isFollowed });
    try {
      await send(statement);
    } catch (error) {
      // Another process inserted a bar after the check.
      if (!(isFree && error instanceof StoreQueryError && error.code === "23505")) throw error;
      await send(insertionOf(part, ON_CONFLICT));
    }
  };

  if (isFree && store.copyText && (await copyBars(store, store.copyText, ordered, options.writer))) return;
  let inFlight = Promise.resolve();
  for (let start = 0; start < ordered.length; start += BATCH) {
    // Let the previous statement be sent, and build the next while it is written.
    await setImmediate();
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
export const writeBarLines = async (
  store: Store,
  lines: readonly BarLines[],
  options: { readonly writer?: WriterToken } = {},
): Promise<void> => {
  const { copyText } = store;
  if (!copyText) return upsertBars(store, lines.flatMap(barsOfLines), options);
  for (const part of lines)
    if (!(await copyLines(store, copyText, part, options.writer))) await upsertBars(store, barsOfLines(part), options);
};
