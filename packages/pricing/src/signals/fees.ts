/** Trading fees of prediction-market venues, by their published formulas, exact. */
import { Decimal } from "../number/decimal.ts";
import type { DigitalMarket, FeeTerms } from "./digital-market.ts";

/** The fees of a market. */
export interface FeeSchedule {
  /**
   * The taker fee of one trade.
   * @param contracts number of contracts
   * @param price dollars per contract, 0 to 1
   * @returns dollars, rounded as the venue rounds
   */
  readonly feeUsd: (contracts: Decimal, price: Decimal) => Decimal;
  /** The smallest order, in contracts. */
  readonly leastContracts: Decimal;
}

const ONE = new Decimal(1);

/**
 * Kalshi: rate · C · p · (1 − p), rounded up to $0.0001.
 * @param rate 0.07 times the multiplier of the market's series, which is 1 for most
 * @see Kalshi's fee schedule
 */
export const kalshiFees = (rate: Decimal = new Decimal("0.07")): FeeSchedule => ({
  feeUsd: (contracts, price) => rate.mul(contracts).mul(price).mul(ONE.minus(price)).toDecimalPlaces(4, Decimal.ROUND_UP),
  leastContracts: ONE,
});

/**
 * Polymarket: C · rate · (p (1 − p))^exponent, takers only, rounded down to five decimals.
 * @param rate by the market's category, such as 0.04 for finance
 * @param exponent of the market's fee schedule, a whole number
 * @see the fee schedule of each Polymarket market
 */
export const polymarketFees = (rate: Decimal = new Decimal("0.04"), exponent = 1): FeeSchedule => ({
  feeUsd: (contracts, price) =>
    contracts
      .mul(rate)
      .mul(price.mul(ONE.minus(price)).pow(exponent))
      .toDecimalPlaces(5, Decimal.ROUND_DOWN),
  leastContracts: new Decimal(5),
});

/** Zero, for venues without fees. */
const noFees = (): FeeSchedule => ({ feeUsd: () => new Decimal(0), leastContracts: ONE });

/** Builds a formula from a market's own fee parameters. */
export type FeeModel = (terms: FeeTerms) => FeeSchedule;

const rateOf = ({ rate }: FeeTerms): Decimal | undefined => (rate === undefined ? undefined : new Decimal(rate));

/** Formulas by the name of the fee model. Markets of other models make no signal: their costs are unknown. */
export const FEE_MODELS: ReadonlyMap<string, FeeModel> = new Map<string, FeeModel>([
  ["kalshi", (terms) => kalshiFees(rateOf(terms))],
  ["polymarket", (terms) => polymarketFees(rateOf(terms), terms.exponent)],
  ["none", noFees],
]);

/**
 * The fees of a market.
 * @param market its fee model, and its own fee parameters
 * @returns null when they are unknown
 */
export const feesOf = ({ feeModel, feeTerms = {} }: Pick<DigitalMarket, "feeModel" | "feeTerms">): FeeSchedule | null => {
  const schedule = FEE_MODELS.get(feeModel)?.(feeTerms);
  if (!schedule) return null;
  return feeTerms.leastContracts === undefined ? schedule : { ...schedule, leastContracts: new Decimal(feeTerms.leastContracts) };
};
