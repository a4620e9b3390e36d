/** The forward curve: what is known, at an instant, about each contract that expires within a year. */
import type { FuturesSymbol } from "@assay/contract";
import { lastFinishedBusinessDay } from "../conventions/exchange-calendar.ts";
import { type CalendarDay, utcDay } from "../conventions/zoned-time.ts";
import { type FuturesContract, lastTradeDay, tradingContracts } from "./futures-contract.ts";
import type { SettlementRow } from "./settlement.ts";

/** One contract's expiry. */
export interface ForwardHorizon {
  readonly futuresContract: FuturesContract;
  readonly expiry: CalendarDay;
  /** Its newest settlement; null when none is known. */
  readonly settlement: SettlementRow | null;
  readonly ageSeconds: number;
  /** Descriptions of what is missing or late. */
  readonly errors: readonly string[];
}

const faultsOf = (settlement: SettlementRow | null, due: CalendarDay): string[] => {
  if (!settlement) return ["no settlement is known"];
  if (settlement.settlementDate >= due) return [];
  return [`the settlement of ${due} is overdue; this one is of ${settlement.settlementDate}`];
};

/** Looks up the newest settlement of a contract, as known at an instant; null when there was none. */
type NewestOf = (futuresContract: string) => SettlementRow | null;

/**
 * The nearest settlement: the newest of the front contract, or of the next one that has settled.
 * @param symbol the product
 * @param newestOf the newest settlement of a contract as known at that instant
 * @param atMs the instant, epoch milliseconds
 * @returns null when no contract that still trades has a settlement
 */
export const nearestSettlement = (symbol: FuturesSymbol, newestOf: NewestOf, atMs: number): SettlementRow | null => {
  for (const { name } of tradingContracts(symbol, utcDay(atMs))) {
    const settlement = newestOf(name);
    if (settlement) return settlement;
  }
  return null;
};

/**
 * Builds the curve. Its nearest settlement is `nearestSettlement`.
 * @param symbol the product
 * @param newestOf the newest settlement of a contract as known at that instant
 * @param atMs the instant, epoch milliseconds
 * @returns a horizon per contract of a main month that still trades and expires within a year, by date
 */
export const forwardCurve = (symbol: FuturesSymbol, newestOf: NewestOf, atMs: number): ForwardHorizon[] => {
  const day = utcDay(atMs);
  const due = lastFinishedBusinessDay(atMs);
  return tradingContracts(symbol, day).map((contract) => {
    const settlement = newestOf(contract.name);
    return {
      futuresContract: contract,
      expiry: lastTradeDay(contract),
      settlement,
      ageSeconds: settlement ? Math.max(0, Math.floor((atMs - settlement.observedAtMs) / 1_000)) : 0,
      errors: faultsOf(settlement, due),
    };
  });
};
