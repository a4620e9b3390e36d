/** Futures settlements by contract, day and source; each correction is a separate row. Prices are unrounded. */
import type { FuturesSymbol, SettlementType } from "@assay/contract";
import { date, index, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { count, instant } from "./columns.ts";

/** One row per contract, day, source and observation time; the index reads a window of days. */
export const settlements = pgTable(
  "settlements",
  {
    symbol: text().$type<FuturesSymbol>().notNull(),
    futuresContract: text("futures_contract").notNull(),
    settlementDate: date("settlement_date").notNull(),
    source: text().notNull(),
    observedAtMs: instant("observed_at").notNull(),
    price: numeric().notNull(),
    volume: count(),
    openInterest: count("open_interest"),
    sourceType: text("source_type").$type<SettlementType>().notNull(),
    fetchedAtMs: instant("fetched_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "settlements_pk",
      columns: [table.symbol, table.futuresContract, table.settlementDate, table.source, table.observedAtMs],
    }),
    index("settlements_by_day").on(table.symbol, table.settlementDate),
  ],
);
