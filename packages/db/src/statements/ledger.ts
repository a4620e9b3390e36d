/**
 * The ledger: which row stood at a revision, and which revision was the newest at an instant. Whatever answers as of the past asks
 * here: bars, settlements, reference rates and archives.
 */
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { rowsOf, type Store } from "../store.ts";

/** A state of the store: everything that was committed up to a revision. */
export interface KnownState {
  readonly revision: number;
  readonly recordedAtMs: number;
}

/** What was known at an instant; unknown before the ledger began, and in the time that a restored backup lacks. */
export type KnownAt =
  | { readonly isKnown: true; readonly state: KnownState }
  /** When the ledger, or its newest epoch, began; null before anything was recorded. */
  | { readonly isKnown: false; readonly startsAtMs: number | null };

/** Days, both inclusive, and the revision they are read at. */
export interface StandingDays {
  readonly revision: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Before and after every row, and dates that every engine can store. */
const [FIRST_MS, LAST_MS] = [Date.UTC(1900, 0, 1), Date.UTC(9999, 0, 1)];

/** The text of an instant to look for, however far away. */
export const textWithin = (ms: number): string => formatInstant(Math.min(Math.max(ms, FIRST_MS), LAST_MS));

/** An instant to look for, however far away. */
export const instantWithin = (ms: number): SQL => sql`${textWithin(ms)}::text::timestamptz`;

const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);

/** Finds the newest revision at an instant. */
export const readKnownAt = async (store: Store, atMs: number): Promise<KnownAt> => {
  const at = instantWithin(atMs);
  const [row] = await store.run((db) =>
    rowsOf<{ revision: number | null; recordedAtMs: number; epoch: number; nextEpoch: number | null; nextAtMs: number | null }>(
      db,
      sql`
        select stood.revision::float8, ${ms("stood.recorded_at")} as "recordedAtMs", stood.epoch::float8,
          following.epoch::float8 as "nextEpoch", ${ms("following.recorded_at")} as "nextAtMs"
        from (select 1) as one
        left join lateral (
          select * from revisions where recorded_at <= ${at} order by recorded_at desc, revision desc limit 1
        ) as stood on true
        left join lateral (
          select * from revisions where recorded_at > ${at} order by recorded_at, revision limit 1
        ) as following on true`,
    ),
  );
  if (!row || row.revision === null) return { isKnown: false, startsAtMs: row?.nextAtMs ?? null };
  const isLost = row.nextEpoch !== null && row.nextEpoch !== row.epoch && atMs > row.recordedAtMs;
  if (isLost) return { isKnown: false, startsAtMs: row.nextAtMs };
  return { isKnown: true, state: { revision: row.revision, recordedAtMs: row.recordedAtMs } };
};

/** The newest state. Revision 0 is that of a store without a ledger yet. */
export const readLedgerHead = async (store: Store): Promise<KnownState & { readonly epoch: number }> => {
  const [head] = await store.run((db) =>
    rowsOf<KnownState & { epoch: number }>(
      db,
      sql`
        select ledger_revision::float8 as revision, ${ms("ledger_at")} as "recordedAtMs", ledger_epoch::float8 as epoch
        from writer_fence`,
    ),
  );
  return head ?? { revision: 0, recordedAtMs: 0, epoch: 1 };
};

/** What a table and its past have in common, in the table's order. */
const COLUMNS = {
  bars: sql`symbol, interval, bar_start, open, high, low, close, volume, is_closed, source_id, revision`,
  settlements: sql`symbol, futures_contract, settlement_date, source, observed_at, price, volume, open_interest, source_type,
    fetched_at, revision`,
  fx_tables: sql`source, base, observed_at, role, fresh_for_ms, rates, revision`,
};

/**
 * The rows of a table that stood at a revision, to select from. Bars that were forming then are not among them.
 * @param where which rows; the cheaper, the closer it is to the tables' keys
 * @param first an order with a limit, when no more than the first rows are wanted: neither table is then read any further
 */
export const standingRows = (table: keyof typeof COLUMNS, revision: number, where: SQL, first: SQL = sql``): SQL => {
  const last = sql`${String(revision)}::text::bigint`;
  const [current, past, columns] = [sql.raw(table), sql.raw(`${table}_past`), COLUMNS[table]];
  const isClosed = table === "bars" ? sql`and is_closed` : sql``;
  return sql`
    ((select ${columns} from ${current}
      where ${where} ${isClosed} and revision <= ${last}
        and (revision >= 0 or (select copied.revision from revisions as copied where copied.copy = ${current}.revision) <= ${last}) ${first})
    union all
    (select ${columns} from ${past} where ${where} and revision <= ${last} and to_revision > ${last} ${first}))`;
};
