/**
 * A venue's option chain as its view of each horizon: from the quotes of an expiry to the distribution they imply, on the
 * metal.
 */
import { DAY_MS, type SurfaceFlag } from "@assay/contract";
import { impliedDeviation } from "./black.ts";
import type { QuotedPoint, VenueCurve } from "./blend.ts";
import { type CallFloor, type FitPoint, fitMixture, type LognormalMixture } from "./kernel-fit.ts";
import type { OptionChain, OptionExpiry } from "./option-chain.ts";
import { cleanQuotes, type Parity, parityOf, type QuotedStrike } from "./parity.ts";

/** The distribution of one expiry, in the chain's own unit. */
interface OptionSlice {
  readonly expiresAtMs: number;
  readonly parity: Parity;
  /** Of price / forward. */
  readonly distribution: LognormalMixture;
  /** The fitted two-sided out-of-the-money quotes, ascending by strike. */
  readonly points: readonly FitPoint[];
  /** Volatility × √time at the money. */
  readonly deviation: number;
}

/** The minimum number of quotes. */
const LEAST_QUOTES = 5;
export const YEAR_MS = 365 * DAY_MS;
/** The continuous annual rate where put-call parity does not determine one: recent dollar interest. */
export const FALLBACK_RATE = 0.04;
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
 * @param nowMs the chain's moment
 * @param floors minimum prices of calls
 * @returns null when the quotes do not imply a distribution: no pair, fewer than five two-sided out-of-the-money quotes, or none
 *   on one side of the forward
 */
const optionSlice = (expiry: OptionExpiry, nowMs: number, floors: readonly CallFloor[]): OptionSlice | null => {
  const years = (expiry.expiresAtMs - nowMs) / YEAR_MS;
  if (!(years > 0)) return null;
  const strikes = cleanQuotes(expiry.quotes);
  const parity = parityOf(strikes, years, FALLBACK_RATE);
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
  return { expiresAtMs: expiry.expiresAtMs, parity, distribution, points: isAgain ? near : points, deviation };
};

export interface ChainSlice extends OptionSlice {
  /** Whether its quotes contradict those of the previous expiry: then each is fitted on its own. */
  readonly crossesCalendar: boolean;
}

/** The range where calls of one expiry are floors of the next: this many deviations to either side of the forward. */
const FLOOR_REACH = 7;
const FLOORS = 29;
/** A fifth of a basis point of the forward: below any tick, so that no quote is distorted for less. */
const ROUNDING = 2e-5;

const floorsOf = ({ distribution, deviation }: OptionSlice): CallFloor[] =>
  Array.from({ length: FLOORS }, (_, index) => {
    const moneyness = Math.exp(deviation * FLOOR_REACH * ((2 * index) / (FLOORS - 1) - 1));
    return { moneyness, call: distribution.call(moneyness) - ROUNDING };
  });

/**
 * The distribution of every expiry that has one.
 *
 * Over the forward, a call of the same moneyness may not get cheaper with time (Gatheral and Jacquier's condition against
 * calendar arbitrage), so each expiry is fitted above the one before it. Where quotes make that impossible, the expiry is fitted
 * alone and marked.
 * @param chain the chain; its own moment counts as now
 * @returns nearest expiry first; expiries whose quotes imply no distribution are omitted
 */
export const optionSurface = (chain: OptionChain): ChainSlice[] => {
  const slices: ChainSlice[] = [];
  for (const expiry of [...chain.expiries].sort((a, b) => a.expiresAtMs - b.expiresAtMs)) {
    const before = slices.at(-1);
    const fit = (floors: readonly CallFloor[]) => optionSlice(expiry, chain.retrievedAtMs, floors);
    const bound = before && fit(floorsOf(before));
    const slice = bound ?? fit([]);
    if (slice) slices.push({ ...slice, crossesCalendar: before !== undefined && !bound });
  }
  return slices;
};

/** Width in deviations of the call spread whose cost measures the uncertainty of a probability. */
const SPREAD_WIDTH = 0.5;

/** Probabilities from differences of neighbouring quotes. */
const rawPoints = ({ points }: ChainSlice, forwardUsd: number): QuotedPoint[] =>
  points.flatMap(({ moneyness }, index) => {
    const below = points[index - 1];
    const above = points[index + 1];
    if (!below || !above) return [];
    return [{ strike: moneyness * forwardUsd, rawProbAbove: (below.call - above.call) / (above.moneyness - below.moneyness) }];
  });

/**
 * The cost of a call spread half a deviation wide, divided by the number of quotes near the money that carry the same
 * information.
 */
const halfWidthOf = ({ points, deviation }: ChainSlice): number => {
  const near = points.filter(({ moneyness }) => Math.abs(Math.log(moneyness)) <= deviation);
  const halves = (near.length > 0 ? near : points).map(({ half }) => half).sort((a, b) => a - b);
  const half = halves[halves.length >> 1] ?? 0;
  return Math.min(0.5, (2 * half) / (SPREAD_WIDTH * deviation) / Math.sqrt(halves.length));
};

const tradedUsd = (chain: OptionChain, expiresAtMs: number): number | null => {
  const quotes = chain.expiries.find((expiry) => expiry.expiresAtMs === expiresAtMs)?.quotes ?? [];
  const traded = quotes.flatMap(({ volume, bid, ask }) =>
    volume === null ? [] : [(Number(volume) * (Number(bid ?? 0) + Number(ask ?? 0))) / 2],
  );
  return traded.length === 0 ? null : traded.reduce((sum, usd) => sum + usd, 0);
};

/**
 * One expiry of a chain as a venue's view. Strikes and the forward are multiplied by spot / underlying: a fund's or token's metal
 * content and its premium or discount are assumed constant until expiry.
 * @param slice one of its expiries, fitted
 */
export const optionCurve = (chain: OptionChain, slice: ChainSlice): VenueCurve => {
  const scale = Number(chain.spotUsdPerOzt) / Number(chain.underlyingUsd);
  const forwardUsd = slice.parity.forward * scale;
  const flags: SurfaceFlag[] = [];
  if (chain.style === "american") flags.push("european_approximation");
  if (chain.underlying !== chain.metal.toUpperCase()) flags.push("proxy_underlying");
  if (slice.parity.discountFrom === "rate") flags.push("discount_from_rate");
  if (slice.crossesCalendar) flags.push("crosses_calendar");
  return {
    venue: chain.venue,
    type: "options",
    expiresAtMs: slice.expiresAtMs,
    probAbove: (strike) => slice.distribution.probAbove(strike / forwardUsd),
    quoted: rawPoints(slice, forwardUsd),
    halfWidth: halfWidthOf(slice),
    forwardUsd,
    volumeUsd: tradedUsd(chain, slice.expiresAtMs),
    retrievedAtMs: chain.retrievedAtMs,
    flags,
  };
};
