/** One expiry of an option chain: from quotes to the implied distribution. */
import { impliedDeviation } from "./black.ts";
import { cleanQuotes, type QuotedStrike } from "./clean-quotes.ts";
import { type CallFloor, type FitPoint, fitMixture } from "./kernel-fit.ts";
import type { LognormalMixture } from "./lognormal-mixture.ts";
import type { OptionExpiry } from "./option-chain.ts";
import { type Parity, parityOf } from "./parity.ts";

/** The distribution of one expiry, in the chain's own unit. */
export interface OptionSlice {
  readonly expiresAtMs: number;
  readonly parity: Parity;
  /** Of price / forward. */
  readonly distribution: LognormalMixture;
  /** The fitted two-sided out-of-the-money quotes, ascending by strike. */
  readonly points: readonly FitPoint[];
  /** Volatility × √time at the money. */
  readonly deviation: number;
  /** The share of fitted quotes whose spread contains the fitted price. */
  readonly withinSpread: number;
}

/** The minimum number of quotes. */
export const LEAST_QUOTES = 5;
const YEAR_MS = 365 * 86_400_000;
/** Number of strikes nearest to the money whose volatility is used as the at-the-money volatility. */
const AT_THE_MONEY = 5;

/** Undiscounted calls from out-of-the-money options: they trade most and are rarely exercised early. */
const outOfTheMoney = (strikes: readonly QuotedStrike[], { forward, discount }: Parity): FitPoint[] =>
  strikes.flatMap(({ strike, call, put }) => {
    const quote = strike >= forward ? call : put;
    if (!quote) return [];
    const moneyness = strike / forward;
    const scale = 1 / (discount * forward);
    const value = quote.mid * scale + (strike >= forward ? 0 : 1 - moneyness);
    return [{ moneyness, call: value, half: quote.half * scale }];
  });

const middleOf = (values: readonly number[]): number | null => [...values].sort((a, b) => a - b)[values.length >> 1] ?? null;

const deviationAtTheMoney = (points: readonly FitPoint[]): number | null =>
  middleOf(
    [...points]
      .sort((a, b) => Math.abs(Math.log(a.moneyness)) - Math.abs(Math.log(b.moneyness)))
      .slice(0, AT_THE_MONEY)
      .flatMap(({ moneyness, call }) => impliedDeviation(moneyness, call) ?? []),
  );

/** A quote further than this from its neighbours' smile, in its own half spreads, counts as an error. */
const OUTLIER = 4;

const distances = (points: readonly FitPoint[], fitted: LognormalMixture): number[] =>
  points.map(({ moneyness, call, half }) => Math.abs(fitted.call(moneyness) - call) / Math.max(half, 1e-6));

/**
 * The distribution that one expiry implies.
 *
 * Only out-of-the-money options are fitted; those further than four half spreads from the first fit are excluded from a second
 * one, if enough others remain.
 * @param expiry its quotes
 * @param nowMs the chain's moment
 * @param rate continuous annual rate where parity does not determine one
 * @param floors minimum prices of calls
 * @returns null when the quotes do not imply a distribution: no pair, fewer than five two-sided out-of-the-money quotes, or none
 *   on one side of the forward
 */
export const optionSlice = (
  expiry: OptionExpiry,
  nowMs: number,
  rate: number,
  floors: readonly CallFloor[] = [],
): OptionSlice | null => {
  const years = (expiry.expiresAtMs - nowMs) / YEAR_MS;
  if (!(years > 0)) return null;
  const strikes = cleanQuotes(expiry.quotes);
  const parity = parityOf(strikes, years, rate);
  if (!parity || !(parity.forward > 0)) return null;
  const points = outOfTheMoney(strikes, parity);
  const isTwoSided = points.some(({ moneyness }) => moneyness < 1) && points.some(({ moneyness }) => moneyness >= 1);
  const deviation = deviationAtTheMoney(points);
  if (points.length < LEAST_QUOTES || !isTwoSided || deviation === null) return null;
  const first = fitMixture(points, deviation, floors);
  if (!first) return null;
  const far = distances(points, first);
  const near = points.filter((_, index) => (far[index] ?? 0) <= OUTLIER);
  const isAgain = near.length < points.length && near.length >= Math.max(LEAST_QUOTES, points.length / 2);
  const distribution = isAgain ? fitMixture(near, deviation, floors) : first;
  if (!distribution) return null;
  const used = isAgain ? near : points;
  const withinSpread = distances(used, distribution).filter((distance) => distance <= 1).length / used.length;
  return { expiresAtMs: expiry.expiresAtMs, parity, distribution, points: used, deviation, withinSpread };
};
