/** Futures settlements as they were known at an instant. */
import type { DecimalText, FuturesSymbol } from "@assay/contract";
import { type CalendarDay, type SettlementRow, settlementKey } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import { insertBehindFence, type WriterToken } from "../statements/fence.ts";
import { standingRows } from "../statements/ledger.ts";
import { unnest } from "../statements/values.ts";
import { rowsOf, type Store } from "../store.ts";

const COLUMNS = sql`
  symbol, futures_contract as "futuresContract", settlement_date::text as "settlementDate", price::text,
  volume::float8, open_interest::float8 as "openInterest", source, source_type as "sourceType",
  (extract(epoch from observed_at) * 1000)::float8 as "observedAtMs",
  (extract(epoch from fetched_at) * 1000)::float8 as "fetchedAtMs"`;

/** Among several rows of one contract and day: the exchange's own first, then the latest. */
const BEST_FIRST = sql`(source_type = 'official_settlement') desc, observed_at desc, source`;

/** The days of a product to read, both ends inclusive. */
export interface SettlementWindow {
  readonly symbol: FuturesSymbol;
  readonly from: CalendarDay;
  readonly to: CalendarDay;
  /** Maximum number of days. */
  readonly limit: number;
  /** Rows observed later are ignored. */
  readonly asOfMs: number;
  /** Reads the rows that stood at this revision; the current ones by default. */
  readonly revision?: number | undefined;
}

const rowsAt = (revision: number | undefined, where: SQL): SQL =>
  revision === undefined
    ? sql`settlements where ${where}`
    : sql`${standingRows("settlements", revision, where)} as stood where true`;

export interface SettledDay {
  readonly day: CalendarDay;
  readonly contracts: readonly string[];
}

/** Reads which contracts settled on the newest days of a window, newest day first. */
export const readSettledDays = (store: Store, window: SettlementWindow): Promise<SettledDay[]> =>
  store.run((db) =>
    rowsOf<SettledDay>(
      db,
      sql`
        select settlement_date::text as day, json_agg(distinct futures_contract) as contracts
        from ${rowsAt(
          window.revision,
          sql`symbol = ${window.symbol} and settlement_date between ${window.from}::text::date and ${window.to}::text::date`,
        )}
          and observed_at <= ${formatInstant(window.asOfMs)}::timestamptz
        group by settlement_date order by settlement_date desc limit ${window.limit}`,
    ),
  );

/** A contract's day. */
export interface SettlementPick {
  readonly day: CalendarDay;
  readonly futuresContract: string;
}

/** A settlement and the one before it, of the same contract. */
export interface SettlementWithPrior extends SettlementRow {
  readonly priorPrice: DecimalText | null;
}

/** Reads the effective settlement of each contract's day, and the contract's previous settlement, newest day first. */
export const readSettlements = (
  store: Store,
  symbol: FuturesSymbol,
  picks: readonly SettlementPick[],
  asOfMs: number,
  revision?: number,
): Promise<SettlementWithPrior[]> => {
  const ofContract = sql`symbol = ${symbol} and futures_contract = pick."futuresContract"`;
  const asOf = formatInstant(asOfMs);
  return store.run((db) =>
    rowsOf<SettlementWithPrior>(
      db,
      sql`
        select row.*, prior.price::text as "priorPrice"
        from json_to_recordset(${JSON.stringify(picks)}::text::json) as pick(day date, "futuresContract" text)
        cross join lateral (
          select ${COLUMNS} from ${rowsAt(revision, sql`${ofContract} and settlement_date = pick.day`)}
            and observed_at <= ${asOf}::timestamptz
          order by ${BEST_FIRST} limit 1) as row
        left join lateral (
          select price from ${rowsAt(revision, sql`${ofContract} and settlement_date < pick.day`)}
            and observed_at <= ${asOf}::timestamptz
          order by settlement_date desc, ${BEST_FIRST} limit 1) as prior on true
        order by pick.day desc`,
    ),
  );
};

/** Rows per contract, enough to find the newest settlement at any recent instant. */
const ROWS_PER_CONTRACT = 12;

/**
 * Reads the newest settlements of every contract that settled since a day, including corrections.
 * @returns oldest first
 */
export const readNewestSettlements = (store: Store, since: CalendarDay): Promise<SettlementRow[]> =>
  store.run((db) =>
    rowsOf<SettlementRow>(
      db,
      sql`
        select ${COLUMNS} from (
          select *, row_number() over (
            partition by symbol, futures_contract order by settlement_date desc, observed_at desc) as place
          from settlements where settlement_date >= ${since}::text::date
        ) as numbered
        where place <= ${ROWS_PER_CONTRACT}
        order by settlement_date, observed_at, futures_contract, source`,
    ),
  );

/** Reads the settlements of a product that were known at an instant, of the days since another. */
export const readSettlementsKnownAt = (
  store: Store,
  symbol: FuturesSymbol,
  sinceMs: number,
  atMs: number,
): Promise<SettlementRow[]> =>
  store.run((db) =>
    rowsOf<SettlementRow>(
      db,
      sql`
        select ${COLUMNS} from settlements
        where symbol = ${symbol} and settlement_date >= (${formatInstant(sinceMs)}::timestamptz at time zone 'UTC')::date
          and observed_at <= ${formatInstant(atMs)}::timestamptz
        order by settlement_date, observed_at, futures_contract, source`,
    ),
  );

/** Reads every day with stored settlements, oldest first. */
export const readSettlementDays = async (store: Store): Promise<CalendarDay[]> => {
  const rows = await store.run((db) =>
    rowsOf<{ day: CalendarDay }>(
      db,
      sql`select distinct settlement_date::text as day, settlement_date from settlements order by settlement_date`,
    ),
  );
  return rows.map(({ day }) => day);
};

/** The newest day a source settled; null when there is none. */
export const readLastSettledDay = async (store: Store, source: string): Promise<CalendarDay | null> => {
  const [row] = await store.run((db) =>
    rowsOf<{ day: CalendarDay | null }>(
      db,
      sql`select max(settlement_date)::text as day from settlements where source = ${source}`,
    ),
  );
  return row?.day ?? null;
};

/**
 * The upsert of a moment's settlements, to run behind the fence; empty for no rows. One that repeats the stored settlement
 * changes nothing, including the instant it was first observed.
 */
export const upsertOfSettlements = (settlements: readonly SettlementRow[]): SQL[] => {
  const distinct = new Map(settlements.map((row) => [settlementKey(row), row]));
  const rows = [...distinct.values()];
  if (rows.length === 0) return [];
  return [
    sql`
      insert into settlements as stored (symbol, futures_contract, settlement_date, source, observed_at, price, volume,
        open_interest, source_type, fetched_at, revision)
      select
        ${unnest(rows, (row) => row.symbol, "text")},
        ${unnest(rows, (row) => row.futuresContract, "text")},
        ${unnest(rows, (row) => row.settlementDate, "date")},
        ${unnest(rows, (row) => row.source, "text")},
        ${unnest(rows, (row) => formatInstant(row.observedAtMs), "timestamptz")},
        ${unnest(rows, (row) => row.price, "numeric")},
        ${unnest(rows, (row) => row.volume, "bigint")},
        ${unnest(rows, (row) => row.openInterest, "bigint")},
        ${unnest(rows, (row) => row.sourceType, "text")},
        ${unnest(rows, (row) => formatInstant(row.fetchedAtMs), "timestamptz")},
        revision
      from fence
      on conflict (symbol, futures_contract, settlement_date, source, observed_at) do update set
        price = excluded.price, volume = excluded.volume, open_interest = excluded.open_interest,
        source_type = excluded.source_type, fetched_at = excluded.fetched_at, revision = excluded.revision
      where (stored.price, stored.volume, stored.open_interest, stored.source_type)
        is distinct from (excluded.price, excluded.volume, excluded.open_interest, excluded.source_type)`,
  ];
};

/**
 * Deletes all settlements of given days.
 * @throws StaleTokenError when a newer writer has written since; nothing is deleted
 */
export const dropSettlements = async (store: Store, writer: WriterToken, days: readonly CalendarDay[]): Promise<void> => {
  const removal = sql`
    delete from settlements using fence
    where settlement_date in (select day::date from json_array_elements_text(${JSON.stringify(days)}::text::json) as day)`;
  await insertBehindFence(store, writer, [removal], { records: "withdrawn" });
};
