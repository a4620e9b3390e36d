/** Settlements as stored: a futures contract's price of one day, its publisher, and whether it is a proxy. */
import type { DecimalText, FuturesSymbol, SettlementType } from "@assay/contract";
import type { CalendarDay } from "../market/zoned-time.ts";
import type { SettlementObservation } from "../readings/observation.ts";

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
  /** The publisher's timestamp, epoch milliseconds. */
  readonly observedAtMs: number;
  /** When it was received, epoch milliseconds. */
  readonly fetchedAtMs: number;
}

/** A reading as a row. */
export const settlementRowOf = (observation: SettlementObservation, fetchedAtMs: number): SettlementRow => {
  const { symbol, futuresContract, settlementDate, price, volume, openInterest, source, sourceType, observedAtMs } = observation;
  return { symbol, futuresContract, settlementDate, price, volume, openInterest, source, sourceType, observedAtMs, fetchedAtMs };
};

/** The unique key of a row. */
export const settlementKey = (
  row: Pick<SettlementRow, "futuresContract" | "settlementDate" | "source" | "observedAtMs">,
): string => `${row.futuresContract} ${row.settlementDate} ${row.source} ${row.observedAtMs}`;

/** Whether a settlement is a proxy for the exchange's own. */
export const isProxy = (type: SettlementType): boolean => type !== "official_settlement";

/**
 * Whether one settlement takes precedence over another of the same contract: the later day, then the exchange's own, then the
 * later observation.
 */
export const outranks = (a: SettlementRow, b: SettlementRow): boolean => {
  if (a.settlementDate !== b.settlementDate) return a.settlementDate > b.settlementDate;
  if (isProxy(a.sourceType) !== isProxy(b.sourceType)) return !isProxy(a.sourceType);
  return a.observedAtMs > b.observedAtMs;
};

/** The caveats of proxies. */
const DISCLAIMERS: Record<SettlementType, string | null> = {
  proxy_daily_close:
    "A public daily close in place of the exchange's settlement; typically within 1 to 5 USD of the official figure.",
  proxy_simulated: "A simulated figure: no exchange settled at this price.",
  official_settlement: null,
};

/**
 * A sentence on how a proxy differs from a settlement.
 * @returns null for the exchange's own
 */
export const disclaimerOf = (type: SettlementType): string | null => DISCLAIMERS[type];

/** Who publishes a source of settlements, and on what terms. */
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
 * The publisher of a source.
 * @param source a feed's key; any other is a replayed source, of which only the name is known and whose figures are the
 *   operator's
 */
export const settlementPublisher = (source: string): SettlementPublisher =>
  PUBLISHERS[source] ?? { displayName: source, license: "operator-licence", publisher: source, url: "" };
