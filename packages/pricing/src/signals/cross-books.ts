/** Matches one book's asks with another's bids, level by level, after fees. */
import { Decimal } from "../number/exact.ts";
import type { FeeSchedule, Level } from "./digital-market.ts";

/** A trade on both sides. */
interface Trade {
  readonly contracts: Decimal;
  /** Dollars paid, before fees. */
  readonly paidUsd: Decimal;
  /** Dollars received, before fees. */
  readonly receivedUsd: Decimal;
  /** Dollars of both venues' fees. */
  readonly feesUsd: Decimal;
}

/** The whole trade, and the contracts available at the levels it uses. */
export interface Crossing extends Trade {
  readonly standingAsks: Decimal;
  readonly standingBids: Decimal;
}

const ZERO = new Decimal(0);

/** One part of a trade: as many contracts as both top levels have. */
const stepOf = (ask: Level, bid: Level, buyFees: FeeSchedule, sellFees: FeeSchedule): Trade => {
  const contracts = Decimal.min(ask.size, bid.size);
  return {
    contracts,
    paidUsd: contracts.mul(ask.price),
    receivedUsd: contracts.mul(bid.price),
    feesUsd: buyFees.feeUsd(contracts, ask.price).plus(sellFees.feeUsd(contracts, bid.price)),
  };
};

const isWorth = ({ paidUsd, receivedUsd, feesUsd }: Trade): boolean => receivedUsd.minus(paidUsd).minus(feesUsd).gt(0);

const without = (levels: readonly Level[], contracts: Decimal): Level[] =>
  levels.flatMap((level, index) => {
    const size = index === 0 ? level.size.minus(contracts) : level.size;
    return size.gt(0) ? [{ ...level, size }] : [];
  });

/** The contracts available at the levels a trade reaches. */
const standing = (levels: readonly Level[], contracts: Decimal): Decimal => {
  let sum = ZERO;
  for (const { size } of levels) {
    if (sum.gte(contracts)) break;
    sum = sum.plus(size);
  }
  return sum;
};

/** The remaining books after a crossing. */
export interface CrossingResult {
  /** Null when no profitable trade is possible. */
  readonly crossing: Crossing | null;
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/**
 * Buys at the asks and sells at the bids while each step gains after both fees.
 * @param asks best first
 * @param bids best first
 * @param buyFees of the venue bought at
 * @param sellFees of the venue sold at
 * @returns the whole trade, and the remaining levels; no trade when it is below either venue's smallest order
 */
export const crossBooks = (
  asks: readonly Level[],
  bids: readonly Level[],
  buyFees: FeeSchedule,
  sellFees: FeeSchedule,
): CrossingResult => {
  let trade: Trade = { contracts: ZERO, paidUsd: ZERO, receivedUsd: ZERO, feesUsd: ZERO };
  let left = asks;
  let right = bids;
  for (let ask = left[0], bid = right[0]; ask && bid; ask = left[0], bid = right[0]) {
    const step = stepOf(ask, bid, buyFees, sellFees);
    if (!isWorth(step)) break;
    trade = {
      contracts: trade.contracts.plus(step.contracts),
      paidUsd: trade.paidUsd.plus(step.paidUsd),
      receivedUsd: trade.receivedUsd.plus(step.receivedUsd),
      feesUsd: trade.feesUsd.plus(step.feesUsd),
    };
    left = without(left, step.contracts);
    right = without(right, step.contracts);
  }
  const least = Decimal.max(buyFees.leastContracts, sellFees.leastContracts);
  if (trade.contracts.lt(least)) return { crossing: null, asks, bids };
  const crossing = {
    ...trade,
    standingAsks: standing(asks, trade.contracts),
    standingBids: standing(bids, trade.contracts),
  };
  return { crossing, asks: left, bids: right };
};
