/** The rules a settlement obeys before it is kept. */
import { isBusinessDay } from "./exchange-calendar.ts";
import { lastTradeDay, readFuturesContract } from "./futures-contract.ts";
import type { SettlementObservation } from "./observation.ts";
import { compareDecimalText, isDecimalText } from "./scaled.ts";
import { MAX_CLOCK_SKEW_MS, PASSED, refused, type Verdict } from "./validation.ts";
import { utcDay } from "./zoned-time.ts";

/** The rules, by name. */
export type SettlementRule =
  /** A price that is no plain decimal, or a count that is no whole number. */
  | "malformed"
  /** A price that is not above zero. */
  | "not_positive"
  /** A contract that is none of the product's. */
  | "unknown_contract"
  /** A day on which the exchange does not settle: a weekend or a holiday. */
  | "holiday"
  /** A day after the contract's last. */
  | "after_expiry"
  /** A day or an instant that has not come. */
  | "from_the_future";

const isCount = (value: number | null): boolean => value === null || (Number.isSafeInteger(value) && value >= 0);

/**
 * Checks a settlement against every rule. How old it is does not matter: the past is filled in with the same rules.
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
