/** Validation rules of settlements before they are stored. */
import { isBusinessDay } from "../market/exchange-calendar.ts";
import { utcDay } from "../market/zoned-time.ts";
import { compareDecimalText, isDecimalText } from "../number/scaled.ts";
import type { SettlementObservation } from "../readings/observation.ts";
import { MAX_CLOCK_SKEW_MS, PASSED, refused, type Verdict } from "../readings/validation.ts";
import { lastTradeDay, readFuturesContract } from "./futures-contract.ts";

/** The rules, by name. */
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
 * @param nowMs now
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
