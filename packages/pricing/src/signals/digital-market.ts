/** Prediction markets that pay a dollar depending on a metal's price, and their books. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { Decimal } from "../number/decimal.ts";

/** A price level of a book. */
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
  /** When the settlement price is read. */
  readonly expiresAtMs: number;
  /**
   * The figure that settles it, for example `pyth:XAU/USD`: markets with different figures are different bets. One that starts
   * with `cme:` is the price of the front future, all others are spot.
   */
  readonly reference: string;
  /** The name of its fee schedule. */
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

/** A level with exact figures. */
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
