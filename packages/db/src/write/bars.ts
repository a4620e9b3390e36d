/** Bars into the store, a thousand rows to a statement. */
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { StoreQueryError } from "../errors.ts";
import { formatInstant } from "../schema/columns.ts";
import { type Database, executePrepared, rowsOf, type Store } from "../store.ts";
import { barsInKeyOrder, rangesOf } from "./bar-order.ts";
import { unnest, unnestOrOnly } from "./columns.ts";
import { passFence, type WriterToken } from "./fence.ts";

const BATCH = 1_000;

/** Rows to a transaction of a bulk load: enough to make the commit cheap, few enough not to keep others waiting. */
const TRANSACTION = 20_000;

/** What happens to bars that are there already. A corrected bar replaces the old one, a forming one never a closed one. */
const ON_CONFLICT = sql`
  on conflict (symbol, interval, bar_start) do update set
    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
    volume = excluded.volume, is_closed = excluded.is_closed, source_id = excluded.source_id
  where (excluded.is_closed or not stored.is_closed)
    and (stored.open, stored.high, stored.low, stored.close, stored.volume, stored.is_closed, stored.source_id)
      is distinct from (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume, excluded.is_closed,
        excluded.source_id)`;

const insert = (rows: readonly BarRow[], isOccupied: boolean) => sql`
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
  ${isOccupied ? ON_CONFLICT : sql``}`;

/** Sends the next batch while the one before is being written. */
const insertAll = async (db: Database, rows: readonly BarRow[], isOccupied: boolean) => {
  let before: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < rows.length; start += BATCH) {
    const next = executePrepared(db, insert(rows.slice(start, start + BATCH), isOccupied));
    // Awaited a turn later; until then its failure is nobody's yet.
    next.catch(() => {});
    await before;
    before = next;
  }
  await before;
};

/** Whether any bar stands where these are to go. */
const isAnyThere = async (db: Database, rows: readonly BarRow[]) => {
  for (const { symbol, interval, fromMs, toMs } of rangesOf(rows)) {
    const [found] = await rowsOf<{ is: boolean }>(
      db,
      sql`select exists (
        select from bars where symbol = ${symbol} and interval = ${interval}
          and bar_start between ${formatInstant(fromMs)}::timestamptz and ${formatInstant(toMs)}::timestamptz
      ) as is`,
    );
    if (found?.is) return true;
  }
  return false;
};

/** Upserts inside a transaction of the caller's. */
export const upsertBarsIn = (db: Database, rows: readonly BarRow[]): Promise<void> => insertAll(db, barsInKeyOrder(rows), true);

/**
 * Writes bars: corrections overwrite, identical rows are left alone, and a forming bar never replaces a closed one.
 * Where nothing stands yet the rows are inserted without looking for conflicts, at nearly twice the speed.
 * @param options.writer passes the fence with each transaction
 * @param options.isAtomic one transaction for all rows; otherwise one for every 20 000
 * @throws StaleTokenError when a newer writer has written since; earlier transactions stay
 */
export const upsertBars = async (
  store: Store,
  rows: readonly BarRow[],
  options: { readonly writer?: WriterToken; readonly isAtomic?: boolean } = {},
): Promise<void> => {
  const write = (part: readonly BarRow[], mayBeThere: boolean) =>
    store.transaction(async (db) => {
      if (options.writer) await passFence(db, options.writer);
      await insertAll(db, part, mayBeThere || part.length < BATCH || (await isAnyThere(db, part)));
    });
  const ordered = barsInKeyOrder(rows);
  const size = options.isAtomic ? Math.max(ordered.length, 1) : TRANSACTION;
  for (let start = 0; start < ordered.length; start += size) {
    const part = ordered.slice(start, start + size);
    try {
      await write(part, false);
    } catch (error) {
      // Another process put a bar there after we had looked.
      if (!(error instanceof StoreQueryError && error.code === "23505")) throw error;
      await write(part, true);
    }
  }
};
