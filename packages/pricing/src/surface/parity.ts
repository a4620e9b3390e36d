/**
 * The credible quotes of an expiry, and the forward and the discount they imply by put-call parity: call − put = discount × (forward −
 * strike).
 */
import type { OptionQuote } from "./option-chain.ts";

/** A strike with its credible quotes; undefined where there is none. */
export interface QuotedStrike {
  readonly strike: number;
  readonly call?: TwoSided | undefined;
  readonly put?: TwoSided | undefined;
}

/** Bid and ask, in the option's own unit. */
export interface TwoSided {
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  /** Half of ask − bid. */
  readonly half: number;
}

/** A spread wider than this share of the mid carries almost no information about the price. */
const WIDEST_SPREAD = 1;

const twoSided = ({ bid, ask }: OptionQuote): TwoSided | undefined => {
  const low = Number(bid ?? 0);
  const high = Number(ask ?? 0);
  if (!(low > 0 && high >= low && Number.isFinite(high))) return undefined;
  const mid = (low + high) / 2;
  return high - low > WIDEST_SPREAD * mid ? undefined : { bid: low, ask: high, mid, half: (high - low) / 2 };
};

/**
 * The credible quotes of one expiry by strike. A quote needs a bid above zero, an ask not below it, and a spread of at most its
 * own mid; of two quotes of one option the tighter is kept.
 * @param quotes as the venue shows them
 * @returns strikes with at least one such quote, ascending
 */
export const cleanQuotes = (quotes: readonly OptionQuote[]): QuotedStrike[] => {
  const strikes = new Map<number, QuotedStrike>();
  for (const quote of quotes) {
    const strike = Number(quote.strike);
    const sides = twoSided(quote);
    if (!(strike > 0 && Number.isFinite(strike)) || !sides) continue;
    const held = strikes.get(strike) ?? { strike };
    const other = held[quote.right];
    if (!other || sides.half < other.half) strikes.set(strike, { ...held, [quote.right]: sides });
  }
  return [...strikes.values()].sort((a, b) => a.strike - b.strike);
};

/** Results of parity for an expiry. */
export interface Parity {
  /** In the strikes' unit. */
  readonly forward: number;
  /** The present value of one unit at expiry. */
  readonly discount: number;
  /** Whether the discount was derived from these quotes; otherwise it follows from the given rate. */
  readonly discountFrom: "parity" | "rate";
}

interface Pair {
  readonly strike: number;
  /** call − put at mids. */
  readonly difference: number;
  /** Half the cost of trading both. */
  readonly half: number;
  readonly call: TwoSided;
  readonly put: TwoSided;
}

/** How far from the money pairs are used: early exercise of American options and wide quotes distort those further away. */
const NEAR = 0.1;
/** A slope with a larger error is less reliable than the assumed rate. */
const WORST_DISCOUNT_ERROR = 0.002;
/** Plausible continuous annual rates. */
const LEAST_RATE = -0.02;
const LARGEST_RATE = 0.15;

const pairsOf = (strikes: readonly QuotedStrike[]): Pair[] =>
  strikes.flatMap(({ strike, call, put }) =>
    call && put ? [{ strike, difference: call.mid - put.mid, half: Math.max(call.half + put.half, 1e-9), call, put }] : [],
  );

/** The slope of difference by strike, negated, with its standard error: weighted least squares by what trading costs. */
const fittedDiscount = (pairs: readonly Pair[]): { readonly discount: number; readonly error: number } | null => {
  let weights = 0;
  let strikes = 0;
  let differences = 0;
  for (const { strike, difference, half } of pairs) {
    const weight = 1 / half ** 2;
    weights += weight;
    strikes += weight * strike;
    differences += weight * difference;
  }
  const meanStrike = strikes / weights;
  const meanDifference = differences / weights;
  let square = 0;
  let cross = 0;
  for (const { strike, difference, half } of pairs) {
    square += (strike - meanStrike) ** 2 / half ** 2;
    cross += ((strike - meanStrike) * (difference - meanDifference)) / half ** 2;
  }
  return pairs.length < 4 || square === 0 ? null : { discount: -cross / square, error: 1 / Math.sqrt(square) };
};

const weightedMedian = (values: readonly { readonly value: number; readonly weight: number }[]): number => {
  const sorted = [...values].sort((a, b) => a.value - b.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const { value, weight } of sorted) {
    below += weight;
    if (below >= half) return value;
  }
  return sorted.at(-1)?.value ?? Number.NaN;
};

/**
 * The forward and the discount of one expiry.
 *
 * The discount is the slope of call − put over strikes within a tenth of the money, where at least four pairs determine it to 0.2
 * % and it implies a rate between −2 % and 15 % a year; otherwise it follows from `rate`. The forward is the median of strike +
 * (call − put) / discount, weighted by the tightness of the quotes, and is then moved, if necessary, into the range without
 * arbitrage at bids and asks.
 * @param strikes credible quotes, ascending
 * @param years time to expiry, above 0
 * @param rate continuous annual rate where the quotes do not determine one
 * @returns null when no strike has both options
 */
export const parityOf = (strikes: readonly QuotedStrike[], years: number, rate: number): Parity | null => {
  const all = pairsOf(strikes);
  const [first, ...rest] = all;
  if (!first) return null;
  const middle = rest.reduce((best, pair) => (Math.abs(pair.difference) < Math.abs(best.difference) ? pair : best), first);
  const pairs = all.filter(({ strike }) => Math.abs(strike / middle.strike - 1) <= NEAR);
  const fitted = fittedDiscount(pairs);
  const fittedRate = fitted && -Math.log(fitted.discount) / years;
  const isKnown =
    fitted !== null &&
    fittedRate !== null &&
    fitted.error <= WORST_DISCOUNT_ERROR &&
    fittedRate >= LEAST_RATE &&
    fittedRate <= LARGEST_RATE;
  const discount = isKnown ? fitted.discount : Math.exp(-rate * years);
  const median = weightedMedian(
    pairs.map(({ strike, difference, half }) => ({ value: strike + difference / discount, weight: 1 / half ** 2 })),
  );
  const least = Math.max(...pairs.map(({ strike, call, put }) => strike + (call.bid - put.ask) / discount));
  const largest = Math.min(...pairs.map(({ strike, call, put }) => strike + (call.ask - put.bid) / discount));
  const forward = least <= largest ? Math.min(largest, Math.max(least, median)) : median;
  return { forward, discount, discountFrom: isKnown ? "parity" : "rate" };
};
