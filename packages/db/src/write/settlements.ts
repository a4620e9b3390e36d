/** Writes futures settlements to the store. */
import { type CalendarDay, type SettlementRow, settlementKey } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import { formatInstant } from "../schema/columns.ts";
import type { Store } from "../store.ts";
import { unnest } from "./columns.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

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
        open_interest, source_type, fetched_at)
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
        ${unnest(rows, (row) => formatInstant(row.fetchedAtMs), "timestamptz")}
      from fence
      on conflict (symbol, futures_contract, settlement_date, source, observed_at) do update set
        price = excluded.price, volume = excluded.volume, open_interest = excluded.open_interest,
        source_type = excluded.source_type, fetched_at = excluded.fetched_at
      where (stored.price, stored.volume, stored.open_interest, stored.source_type)
        is distinct from (excluded.price, excluded.volume, excluded.open_interest, excluded.source_type)`,
  ];
};

/**
 * Deletes all settlements of given days.
 * @throws StaleTokenError when a newer writer has written since; nothing is deleted
 */
export const dropSettlements = (store: Store, writer: WriterToken, days: readonly CalendarDay[]): Promise<void> =>
  insertBehindFence(store, writer, [
    sql`
      delete from settlements using fence
      where settlement_date in (select day::date from json_array_elements_text(${JSON.stringify(days)}::text::json) as day)`,
  ]);
