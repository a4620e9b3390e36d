/**
 * Prediction markets that pay a dollar depending on a metal's price: their books, their trading fees by the venues' published
 * formulas, and readings of single markets.
 */
import type { DecimalText, Metal, SurfaceMetal } from "@assay/contract";
import { Decimal } from "../number/exact.ts";
import { expiryOf } from "../surface/option-chain.ts";

export interface BookLevel {
  /** Dollars per contract that pays one, 0 to 1. */
  readonly price: DecimalText;
  /** Contracts, which is the payout in dollars. */
  readonly size: DecimalText;
}

/** Prices at which contracts on yes can be sold and bought; in any order. */
export interface YesBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** A market's own fee parameters, where its venue sets them per market; omitted ones come from its fee model. */
export interface FeeTerms {
  /** Rate in the fee model's formula, 0 to 1. */
  readonly rate?: DecimalText;
  /** Exponent in the fee model's formula, a whole number. */
  readonly exponent?: number;
  /** The smallest order, in contracts. */
  readonly leastContracts?: DecimalText;
}

/** A market that pays one dollar if the price is above a strike. */
export interface DigitalMarket {
  readonly venue: string;
  readonly marketId: string;
  readonly metal: SurfaceMetal;
  /**
   * `terminal` pays by the price at expiry; `touch` pays once a price is reached before it, and is never used in a surface or
   * signal.
   */
  readonly kind: "terminal" | "touch";
  /** In USD per troy ounce of the settlement figure. */
  readonly strike: DecimalText;
  readonly expiresAtMs: number;
  /**
   * The figure that settles it, for example `pyth:XAU/USD`: markets with different figures are different bets. One that starts
   * with `cme:` is the price of the future, all others are spot.
   */
  readonly reference: string;
  readonly feeModel: string;
  readonly feeTerms?: FeeTerms;
  /** Spot over that figure's own price, for figures that are not spot; defaults to 1. */
  readonly basis?: DecimalText;
  /** Where the basis comes from: that figure's own price by default, or an assumed rate while it is unknown. */
  readonly basisFrom?: "rate";
  readonly book: YesBook;
  /** Dollars traded so far; null where the venue does not say. */
  readonly volumeUsd: DecimalText | null;
  readonly retrievedAtMs: number;
}

/**
 * The book of a venue that lists only bids: a bid for no at q is an offer of yes at 1 − q.
 * @param yesBids bids for yes
 * @param noBids bids for no
 * @returns both sides of yes, exact
 */
export const bookFromBids = (yesBids: readonly BookLevel[], noBids: readonly BookLevel[]): YesBook => ({
  bids: yesBids,
  asks: noBids.map(({ price, size }) => ({ price: new Decimal(1).minus(price).toFixed(), size })),
});

export interface Level {
  readonly price: Decimal;
  readonly size: Decimal;
}

const levelsOf = (levels: readonly BookLevel[]): Level[] =>
  levels
    .map(({ price, size }) => ({ price: new Decimal(price), size: new Decimal(size) }))
    .filter(({ price, size }) => price.gt(0) && price.lt(1) && size.gt(0));

/** Bids, best first; levels without size or outside 0 to 1 are dropped. */
export const bidLevels = (book: YesBook): Level[] => levelsOf(book.bids).sort((a, b) => b.price.cmp(a.price));

/** Asks, best first; levels without size or outside 0 to 1 are dropped. */
export const askLevels = (book: YesBook): Level[] => levelsOf(book.asks).sort((a, b) => a.price.cmp(b.price));

/** One market's best prices, as a source of single markets reports it. */
export interface MarketReading {
  readonly source: string;
  readonly metal: Metal;
  /** YYYY-MM-DD. */
  readonly expiry: string;
  readonly marketId: string;
  /** At expiry above the strike, or ever touching it. */
  readonly condition: "above" | "touch";
  readonly strike: DecimalText;
  readonly yesBid: DecimalText | null;
  readonly yesAsk: DecimalText | null;
  /** Payout in dollars at the bid. */
  readonly bidSizeUsd: DecimalText | null;
  /** Payout in dollars at the ask. */
  readonly askSizeUsd: DecimalText | null;
  readonly feeModel: string;
  readonly observedAtMs: number;
}

const levels = (price: DecimalText | null, size: DecimalText | null): BookLevel[] =>
  price === null || size === null ? [] : [{ price, size }];

/** A single reading as a market. All readings of a metal and day are treated as bets on one figure, spot at the day's expiry. */
export const marketFrom = (reading: MarketReading): DigitalMarket => ({
  venue: reading.source,
  marketId: reading.marketId,
  metal: reading.metal.toLowerCase() as SurfaceMetal, // the two metals there are
  kind: reading.condition === "above" ? "terminal" : "touch",
  strike: reading.strike,
  expiresAtMs: expiryOf(reading.expiry),
  reference: `spot:${reading.metal}/USD`,
  feeModel: reading.feeModel,
  book: { bids: levels(reading.yesBid, reading.bidSizeUsd), asks: levels(reading.yesAsk, reading.askSizeUsd) },
  volumeUsd: null,
  retrievedAtMs: reading.observedAtMs,
});

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
type FeeModel = (terms: FeeTerms) => FeeSchedule;

const rateOf = ({ rate }: FeeTerms): Decimal | undefined => (rate === undefined ? undefined : new Decimal(rate));

/** Formulas by the name of the fee model. Markets of other models make no signal: their costs are unknown. */
const FEE_MODELS: ReadonlyMap<string, FeeModel> = new Map<string, FeeModel>([
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
