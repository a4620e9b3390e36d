/** Writes futures settlements to the store. */
import { type CalendarDay, type SettlementRow, settlementKey } from "@assay/pricing";
import { type SQL, sql } from "drizzle-orm";
import type { Store } from "../store.ts";
import { insertBehindFence, type WriterToken } from "./fence.ts";

/**
 * The upsert of a moment's settlements, to run behind the fence; empty for no rows. One that repeats the stored settlement
 * changes nothing, including the instant it was first observed.
 */
export const upsertOfSettlements = (rows: readonly SettlementRow[]): SQL[] => {
  const distinct = new Map(rows.map((row) => [settlementKey(row), row]));
  if (distinct.size === 0) return [];
  return [
    sql`
      insert into settlements as stored (symbol, futures_contract, settlement_date, source, observed_at, price, volume,
        open_interest, source_type, fetched_at)
      select symbol, "futuresContract", "settlementDate"::date, source, to_timestamp("observedAtMs" / 1000), price,
        volume::bigint, "openInterest"::bigint, "sourceType", to_timestamp("fetchedAtMs" / 1000)
      from fence, json_to_recordset(${JSON.stringify([...distinct.values()])}::text::json) as (symbol text,
        "futuresContract" text, "settlementDate" text, source text, "observedAtMs" numeric, price numeric, volume numeric,
        "openInterest" numeric, "sourceType" text, "fetchedAtMs" numeric)
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
