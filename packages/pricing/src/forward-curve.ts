/** The forward curve: what is known, at an instant, of each contract that ends within a year. */
import type { FuturesSymbol } from "@assay/contract";
import { lastFinishedBusinessDay } from "./exchange-calendar.ts";
import { activeContracts, type FuturesContract, lastTradeDay } from "./futures-contract.ts";
import type { SettlementRow } from "./settlement.ts";
import { type CalendarDay, utcDay } from "./zoned-time.ts";

/** One contract's end. */
export interface ForwardHorizon {
  readonly futuresContract: FuturesContract;
  /** Its last day of trading. */
  readonly expiry: CalendarDay;
  /** Its newest settlement; null when none is known. */
  readonly settlement: SettlementRow | null;
  /** Age of that settlement, whole seconds. */
  readonly ageSeconds: number;
  /** What is missing or late, in words. */
  readonly errors: readonly string[];
}

const faultsOf = (settlement: SettlementRow | null, due: CalendarDay): string[] => {
  if (!settlement) return ["no settlement is known"];
  if (settlement.settlementDate >= due) return [];
  return [`the settlement of ${due} is overdue; this one is of ${settlement.settlementDate}`];
};

/**
 * Puts the curve together.
 * @param symbol the product
 * @param newestOf the newest settlement of a contract as it was known at that instant
 * @param atMs the instant, epoch milliseconds
 * @returns a horizon per active contract that ends within a year, by date
 */
export const forwardCurve = (
  symbol: FuturesSymbol,
  newestOf: (futuresContract: string) => SettlementRow | null,
  atMs: number,
): ForwardHorizon[] => {
  const due = lastFinishedBusinessDay(atMs);
  return activeContracts(symbol, utcDay(atMs)).map((contract) => {
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
