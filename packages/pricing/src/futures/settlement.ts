/** Settlements: a futures contract's price of one day, its rules, its publisher, and whether it is a proxy. */
import type { DecimalText, FuturesSymbol, SettlementType } from "@assay/contract";
import { isBusinessDay } from "../conventions/exchange-calendar.ts";
import { type CalendarDay, utcDay } from "../conventions/zoned-time.ts";
import { compareDecimalText, isDecimalText } from "../number/scaled.ts";
import type { SettlementObservation } from "../readings/observation.ts";
import { MAX_CLOCK_SKEW_MS, PASSED, refused, type Verdict } from "../readings/validation.ts";
import { lastTradeDay, readFuturesContract } from "./futures-contract.ts";

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

export const settlementRowOf = (observation: SettlementObservation, fetchedAtMs: number): SettlementRow => {
  const { symbol, futuresContract, settlementDate, price, volume, openInterest, source, sourceType, observedAtMs } = observation;
  return { symbol, futuresContract, settlementDate, price, volume, openInterest, source, sourceType, observedAtMs, fetchedAtMs };
};

/** The unique key of a row. */
export const settlementKey = (
  row: Pick<SettlementRow, "futuresContract" | "settlementDate" | "source" | "observedAtMs">,
): string => `${row.futuresContract} ${row.settlementDate} ${row.source} ${row.observedAtMs}`;

/** Whether a settlement is a proxy for the exchange's own. */
const isProxy = (type: SettlementType): boolean => type !== "official_settlement";

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

const PUBLISHERS: ReadonlyMap<string, SettlementPublisher> = new Map(
  Object.entries({
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
  }),
);

/**
 * The publisher of a source.
 * @param source a feed's key; any other is a replayed source, of which only the name is known and whose figures are the
 *   operator's
 */
export const settlementPublisher = (source: string): SettlementPublisher =>
  PUBLISHERS.get(source) ?? { displayName: source, license: "operator-licence", publisher: source, url: "" };

/** The rules of a reading before it is stored, by name. */
export type SettlementRule =
  /** A price that is not a plain decimal, or a count that is not a whole number. */
  | "malformed"
  /** A price that is not above zero. */
  | "not_positive"
  /** A contract of another product. */
  | "unknown_contract"
  /** A day on which the exchange does not settle: a weekend or a holiday. */
  | "holiday"
  /** A day after the contract's last. */
  | "after_expiry"
  /** A day or an instant in the future. */
  | "from_the_future";

const isCount = (value: number | null): boolean => value === null || (Number.isSafeInteger(value) && value >= 0);

/**
 * Validates a settlement against every rule. Its age does not matter: backfills use the same rules.
 * @param settlement the reading
 * @returns ok, or the first rule it breaks
 */
export const validateSettlement = (settlement: SettlementObservation, nowMs: number): Verdict<SettlementRule> => {
  const { price, volume, openInterest, futuresContract, symbol, settlementDate, observedAtMs } = settlement;
  if (!isDecimalText(price)) return refused("malformed", `price ${JSON.stringify(price)}`);
  if (!isCount(volume) || !isCount(openInterest)) return refused("malformed", `volume ${volume}, open interest ${openInterest}`);
  if (compareDecimalText(price, "0") <= 0) return refused("not_positive", `price ${price}`);
  const contract = readFuturesContract(futuresContract);
  if (contract?.symbol !== symbol) return refused("unknown_contract", `${futuresContract} of ${symbol}`);
  if (!isBusinessDay(settlementDate)) return refused("holiday", `settlement of ${settlementDate}`);
  const expiry = lastTradeDay(contract);
  if (settlementDate > expiry)
    return refused("after_expiry", `${futuresContract} on ${settlementDate}, its last day is ${expiry}`);
  if (settlementDate > utcDay(nowMs)) return refused("from_the_future", `settlement of ${settlementDate}`);
  const aheadMs = observedAtMs - nowMs;
  if (!(aheadMs <= MAX_CLOCK_SKEW_MS)) return refused("from_the_future", `${aheadMs} ms ahead`);
  return PASSED;
};
