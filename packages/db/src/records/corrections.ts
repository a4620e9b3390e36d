/** Corrections of closed bars and settlements, as they were chained when they were written. */
import type { Interval } from "@assay/contract";
import { sql } from "drizzle-orm";
import { instantWithin } from "../statements/ledger.ts";
import { rowsOf, type Store } from "../store.ts";

export interface CorrectionsWindow {
  /** Only those of a series, product or rate; of all by default. */
  readonly symbols: readonly string[] | null;
  readonly intervals: readonly Interval[];
  /** Daily bars from this day on. */
  readonly dailyFromMs: number;
  readonly hasSettlements: boolean;
  /** Whether reference rates are among them, of the same days as daily bars. */
  readonly hasRates: boolean;
  /** Only those with a greater number. */
  readonly since: number;
  /** Only those recorded at an instant or later. */
  readonly sinceMs?: number | undefined;
  /** Only those recorded by then. */
  readonly asOfMs: number;
  readonly limit: number;
}

export interface CorrectionRow {
  readonly number: number;
  /** Canonical JSON. */
  readonly entry: string;
  /** SHA-256 of it. */
  readonly digest: string;
}

/** How the symbol of a reference rate ends. */
const RATE = "-REFERENCE";
const IS_RATE = sql`right(symbol, ${sql.raw(String(RATE.length))}) = ${sql.raw(`'${RATE}'`)}`;

export const readCorrections = (store: Store, window: CorrectionsWindow): Promise<CorrectionRow[]> => {
  const { symbols, hasRates, sinceMs } = window;
  const namesRate = symbols?.some((symbol) => symbol.endsWith(RATE)) ?? false;
  const text = symbols === null ? "" : `{${symbols.join(",")}}`;
  const ofSymbols =
    symbols === null
      ? sql``
      : sql`and (symbol = any(${text}::text::text[]) ${hasRates && !namesRate ? sql`or ${IS_RATE}` : sql``})`;
  const sinceInstant =
    sinceMs === undefined
      ? sql``
      : sql`and number >= (select number from corrections where recorded_at >= ${instantWithin(sinceMs)} order by recorded_at, number limit 1)`;
  const query = sql`
    select number::float8, entry, digest from corrections
    where number > ${String(window.since)}::text::bigint and recorded_at <= ${instantWithin(window.asOfMs)} ${sinceInstant} ${ofSymbols}
      and case when ${IS_RATE} then ${String(hasRates)}::text::boolean and starts_at >= ${instantWithin(window.dailyFromMs)}
        when interval is null then ${String(window.hasSettlements)}::text::boolean
        else interval = any(${`{${window.intervals.join(",")}}`}::text::text[])
          and (interval <> '1d' or starts_at >= ${instantWithin(window.dailyFromMs)}) end
    order by number limit ${window.limit}`;
  return store.run((db) => rowsOf<CorrectionRow>(db, query));
};

/** The newest correction at an instant. */
export interface CorrectionsHead {
  readonly epoch: number;
  readonly newest: { readonly number: number; readonly digest: string; readonly recordedAtMs: number } | null;
}

export const readCorrectionsHead = async (store: Store, asOfMs: number): Promise<CorrectionsHead> => {
  const [row] = await store.run((db) =>
    rowsOf<{ epoch: number; number: number | null; digest: string; recordedAtMs: number }>(
      db,
      sql`
        select ledger_epoch::float8 as epoch, number::float8, digest, (extract(epoch from recorded_at) * 1000)::float8 as "recordedAtMs"
        from writer_fence left join lateral (
          select * from corrections where recorded_at <= ${instantWithin(asOfMs)} order by number desc limit 1
        ) as newest on true`,
    ),
  );
  if (!row || row.number === null) return { epoch: row?.epoch ?? 1, newest: null };
  const { number, digest, recordedAtMs } = row;
  return { epoch: row.epoch, newest: { number, digest, recordedAtMs } };
};
