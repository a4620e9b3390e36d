/** Settlements as they are kept: a futures contract's price of one day, by whom, and what it stands for. */
import type { DecimalText, FuturesSymbol, SettlementType } from "@assay/contract";
import type { SettlementObservation } from "./observation.ts";
import type { CalendarDay } from "./zoned-time.ts";

/** One settlement of one source; a correction is another row with a later `observedAtMs`. */
export interface SettlementRow {
  readonly symbol: FuturesSymbol;
  readonly futuresContract: string;
  readonly settlementDate: CalendarDay;
  /** In USD per the contract's unit, unrounded. */
  readonly price: DecimalText;
  readonly volume: number | null;
  readonly openInterest: number | null;
  readonly source: string;
  readonly sourceType: SettlementType;
  /** When the publisher says it was so, epoch milliseconds. */
  readonly observedAtMs: number;
  /** When it was taken in, epoch milliseconds. */
  readonly fetchedAtMs: number;
}

/** A reading as a row. */
export const settlementRowOf = (observation: SettlementObservation, fetchedAtMs: number): SettlementRow => {
  const { symbol, futuresContract, settlementDate, price, volume, openInterest, source, sourceType, observedAtMs } = observation;
  return { symbol, futuresContract, settlementDate, price, volume, openInterest, source, sourceType, observedAtMs, fetchedAtMs };
};

/** What tells one row from another. */
export const settlementKey = (
  row: Pick<SettlementRow, "futuresContract" | "settlementDate" | "source" | "observedAtMs">,
): string => `${row.futuresContract} ${row.settlementDate} ${row.source} ${row.observedAtMs}`;

/** Whether a settlement stands in for the exchange's own. */
export const isProxy = (type: SettlementType): boolean => type !== "official_settlement";

/**
 * Whether one settlement counts before another of the same contract: the later day, then the exchange's own, then the one
 * that was said later.
 */
export const outranks = (a: SettlementRow, b: SettlementRow): boolean => {
  if (a.settlementDate !== b.settlementDate) return a.settlementDate > b.settlementDate;
  if (isProxy(a.sourceType) !== isProxy(b.sourceType)) return !isProxy(a.sourceType);
  return a.observedAtMs > b.observedAtMs;
};

/** What proxies have to say of themselves. */
const DISCLAIMERS: Record<SettlementType, string | null> = {
  proxy_daily_close:
    "A public daily close in place of the exchange's settlement; typically within 1 to 5 USD of the official figure.",
  proxy_simulated: "A simulated figure: no exchange settled at this price.",
  official_settlement: null,
};

/**
 * What a settlement is not, in a sentence.
 * @returns null for the exchange's own
 */
export const disclaimerOf = (type: SettlementType): string | null => DISCLAIMERS[type];

/** Who publishes a source of settlements, and under which terms. */
export interface SettlementPublisher {
  readonly displayName: string;
  /** The class of its terms, as `SourceInfo` has it. */
  readonly license: string;
  readonly publisher: string;
  /** A page about the figures, empty when there is none. */
  readonly url: string;
}

const PUBLISHERS: Readonly<Record<string, SettlementPublisher>> = {
  "simulated-settlements": {
    displayName: "Simulated settlements",
    license: "simulated",
    publisher: "Simulated market",
    url: "",
  },
  "yahoo-chart": {
    displayName: "Yahoo Finance chart",
    license: "personal-use-only",
    publisher: "Yahoo Finance",
    url: "https://finance.yahoo.com",
  },
  "cme-files": {
    displayName: "CME settlement files",
    license: "operator-licence",
    publisher: "CME Group",
    url: "https://www.cmegroup.com/markets/metals.html",
  },
};

/**
 * Who publishes a source.
 * @param source a feed's key; any other is a replayed source, whose name is all there is to say and whose figures are the operator's
 */
export const settlementPublisher = (source: string): SettlementPublisher =>
  PUBLISHERS[source] ?? { displayName: source, license: "operator-licence", publisher: source, url: "" };
