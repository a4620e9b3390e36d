/** Bars into the store, a thousand rows to a statement. */
import type { BarRow } from "@assay/pricing";
import { sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Database, Store } from "../store.ts";
import { arrayText, quotedArrayText } from "./array-text.ts";
import { passFence, type WriterToken } from "./fence.ts";

const BATCH = 1_000;

const compare = (a: BarRow, b: BarRow) =>
  a.symbol !== b.symbol
    ? a.symbol < b.symbol
      ? -1
      : 1
    : a.interval !== b.interval
      ? a.interval < b.interval
        ? -1
        : 1
      : a.barStartMs - b.barStartMs;

/**
 * One row per bar in key order: a statement cannot touch a row twice, and writers that lock rows in one order cannot
 * block each other. The last row of a bar wins, but a forming one never over a closed one.
 */
const inKeyOrder = (rows: readonly BarRow[]): readonly BarRow[] => {
  if (rows.every((row, index) => index === 0 || compare(rows[index - 1] ?? row, row) < 0)) return rows;
  const kept: BarRow[] = [];
  for (const row of rows.toSorted(compare)) {
    const last = kept.at(-1);
    if (!last || compare(last, row) !== 0) kept.push(row);
    else if (row.isClosed || !last.isClosed) kept[kept.length - 1] = row;
  }
  return kept;
};

const upsertBatch = (db: Database, rows: readonly BarRow[]) =>
  db.execute(sql`
  insert into bars as stored (symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id)
  select * from unnest(
    ${quotedArrayText(rows.map((row) => row.symbol))}::text::text[],
    ${quotedArrayText(rows.map((row) => row.interval))}::text::text[],
    ${arrayText(rows.map((row) => formatInstant(row.barStartMs)))}::text::timestamptz[],
    ${arrayText(rows.map((row) => row.open))}::text::numeric[],
    ${arrayText(rows.map((row) => row.high))}::text::numeric[],
    ${arrayText(rows.map((row) => row.low))}::text::numeric[],
    ${arrayText(rows.map((row) => row.close))}::text::numeric[],
    ${arrayText(rows.map((row) => row.volume ?? "NULL"))}::text::numeric[],
    ${arrayText(rows.map((row) => (row.isClosed ? "t" : "f")))}::text::boolean[],
    ${quotedArrayText(rows.map((row) => row.sourceId))}::text::text[]
  )
  on conflict (symbol, interval, bar_start) do update set
    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
    volume = excluded.volume, is_closed = excluded.is_closed, source_id = excluded.source_id
  where (excluded.is_closed or not stored.is_closed)
    and (stored.open, stored.high, stored.low, stored.close, stored.volume, stored.is_closed, stored.source_id)
      is distinct from (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume, excluded.is_closed,
        excluded.source_id)`);

/** Upserts inside a transaction of the caller's. */
export const upsertBarsIn = async (db: Database, rows: readonly BarRow[]): Promise<void> => {
  for (let start = 0; start < rows.length; start += BATCH) {
    await upsertBatch(db, inKeyOrder(rows.slice(start, start + BATCH)));
  }
};

/**
 * Writes bars: corrections overwrite, identical rows are left alone, and a forming bar never replaces a closed one. Each
 * batch of a thousand is a transaction of its own; `inOne` makes all of them one.
 * @param options.writer passes the fence with each transaction
 * @throws StaleTokenError when a newer writer has written since; earlier batches stay
 */
export const upsertBars = async (
  store: Store,
  rows: readonly BarRow[],
  options: { readonly writer?: WriterToken; readonly inOne?: boolean } = {},
): Promise<void> => {
  const size = options.inOne ? Math.max(rows.length, 1) : BATCH;
  for (let start = 0; start < rows.length; start += size) {
    await store.transaction(async (db) => {
      if (options.writer) await passFence(db, options.writer);
      await upsertBarsIn(db, rows.slice(start, start + size));
    });
  }
};
