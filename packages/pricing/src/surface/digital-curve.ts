/** A venue's ladder of digitals for one expiry, as its view of that horizon. */
import type { DecimalText, SurfaceMetal } from "@assay/contract";
import { utcDay } from "../conventions/zoned-time.ts";
import { activeContractOn, lastTradeDay } from "../futures/futures-contract.ts";
import { Decimal } from "../number/exact.ts";
import { askLevels, bidLevels, type DigitalMarket } from "../signals/digital-market.ts";
import { normalBelow, normalPoint } from "./black.ts";
import type { VenueCurve } from "./blend.ts";
import { FALLBACK_RATE, YEAR_MS } from "./option-curve.ts";

export interface WeightedValue {
  readonly value: number;
  /** Above 0. */
  readonly weight: number;
}

/**
 * The non-increasing sequence nearest to the given one, by weighted least squares: adjacent violators are pooled.
 * @param values in order
 * @returns as many values; non-increasing input is unchanged
 * @see M. Ayer and others, An empirical distribution function for sampling with incomplete information, 1955
 */
export const neverRising = (values: readonly WeightedValue[]): number[] => {
  const pools: { value: number; weight: number; count: number }[] = [];
  for (const { value, weight } of values) {
    let pool = { value, weight, count: 1 };
    for (let before = pools.at(-1); before && before.value < pool.value; before = pools.at(-1)) {
      const total = before.weight + pool.weight;
      pool = {
        value: (before.value * before.weight + pool.value * pool.weight) / total,
        weight: total,
        count: before.count + pool.count,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ value, count }) => new Array<number>(count).fill(value));
};

/** The minimum number of strikes. */
const LEAST_STRIKES = 3;
/** The best bid and ask of a quote must each have this many dollars of payout, and be no further apart than this. */
const LEAST_CONTRACTS = 5;
const WIDEST_SPREAD = 0.4;
/** Books cannot resolve probabilities closer to 0 or 1 than a tenth of a cent. */
const LEAST_PROBABILITY = 0.001;
/** The deviation of the log price that tails beyond the ladder may have. */
const LEAST_DEVIATION = 0.002;
const LARGEST_DEVIATION = 1.5;

interface StrikeQuote {
  readonly strike: number;
  readonly mid: number;
  readonly half: number;
}

/** The executable midpoint of a market; null where one side is missing, too small, or too far from the other. */
const strikeQuoteOf = ({ book, strike, basis = "1" }: DigitalMarket): StrikeQuote | null => {
  const bid = bidLevels(book).find(({ size }) => size.gte(LEAST_CONTRACTS))?.price;
  const ask = askLevels(book).find(({ size }) => size.gte(LEAST_CONTRACTS))?.price;
  if (!bid || !ask || ask.lt(bid) || ask.minus(bid).gt(WIDEST_SPREAD)) return null;
  return {
    strike: Number(strike) * Number(basis),
    // Halved exactly, so that equal midpoints of different books compare as equal.
    mid: bid.plus(ask).div(2).toNumber(),
    half: Math.max(ask.minus(bid).div(2).toNumber(), LEAST_PROBABILITY / 2),
  };
};

/** Probabilities as normal deviates over log strike: a lognormal distribution is a falling straight line here. */
interface Node {
  readonly log: number;
  readonly point: number;
}

const between = (a: Node, b: Node, log: number): number =>
  a.point + (b.log === a.log ? 0 : ((b.point - a.point) * (log - a.log)) / (b.log - a.log));

/** Linear interpolation between the nodes, and the slope from first to last beyond them. */
const lineThrough = (nodes: readonly Node[], first: Node, last: Node): ((strike: number) => number) => {
  const steepness = (first.point - last.point) / (last.log - first.log);
  const slope = -Math.min(1 / LEAST_DEVIATION, Math.max(1 / LARGEST_DEVIATION, steepness));
  return (strike) => {
    const log = Math.log(strike);
    if (log <= first.log) return normalBelow(first.point + slope * (log - first.log));
    if (log >= last.log) return normalBelow(last.point + slope * (log - last.log));
    const above = nodes.findIndex((node) => node.log > log);
    return normalBelow(between(nodes[above - 1] ?? first, nodes[above] ?? last, log));
  };
};

/** The shape of another curve beyond the ladder, joined at its ends. */
const tailed = (inner: (strike: number) => number, low: number, high: number, tails: (strike: number) => number) => {
  const atLow = inner(low);
  const atHigh = inner(high);
  return (strike: number): number => {
    if (strike >= high) return tails(high) > 0 ? (atHigh * tails(strike)) / tails(high) : 0;
    if (strike > low) return inner(strike);
    const rest = 1 - tails(low);
    return rest > 0 ? 1 - ((1 - atLow) * (1 - tails(strike))) / rest : 1;
  };
};

const middleOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0.5;

/**
 * A ladder of one venue and expiry as a view of that horizon.
 *
 * Each quote states the midpoint of its executable book. The ladder is made non-increasing by isotonic regression, with more
 * weight on quotes with tight books, and is then interpolated linearly in normal deviates over log strike. Beyond it the shape is
 * that of the options of the same day, or the ladder's own lognormal slope.
 * @param markets of one venue, metal and expiry; touch markets are excluded
 * @param tails the options' probability of ending above a strike, where there are options
 * @returns null with fewer than three usable strikes
 */
export const digitalCurve = (
  markets: readonly DigitalMarket[],
  tails: ((strike: number) => number) | null,
): VenueCurve | null => {
  const terminal = markets.filter(({ kind }) => kind === "terminal");
  // Markets of one strike are sorted lowest first, so that they are pooled, independent of input order.
  const quotes = terminal.flatMap((market) => strikeQuoteOf(market) ?? []).sort((a, b) => a.strike - b.strike || a.mid - b.mid);
  const [market] = terminal;
  if (!market || new Set(quotes.map(({ strike }) => strike)).size < LEAST_STRIKES) return null;
  const fitted = neverRising(quotes.map(({ mid, half }) => ({ value: mid, weight: 1 / half ** 2 })));
  const nodes = quotes.map(({ strike }, index) => {
    const probability = Math.min(1 - LEAST_PROBABILITY, Math.max(LEAST_PROBABILITY, fitted[index] ?? 0.5));
    return { log: Math.log(strike), point: normalPoint(probability) };
  });
  const first = nodes[0];
  const last = nodes.at(-1);
  if (!first || !last || last.log <= first.log) return null;
  const inner = lineThrough(nodes, first, last);
  const volumes = terminal.flatMap(({ volumeUsd }) => (volumeUsd === null ? [] : [Number(volumeUsd)]));
  return {
    venue: market.venue,
    type: "prediction_market",
    expiresAtMs: market.expiresAtMs,
    probAbove: tails ? tailed(inner, Math.exp(first.log), Math.exp(last.log), tails) : inner,
    quoted: quotes.map(({ strike, mid }) => ({ strike, rawProbAbove: mid })),
    halfWidth: middleOf(quotes.map(({ half }) => half)),
    forwardUsd: null,
    volumeUsd: volumes.length === 0 ? null : volumes.reduce((sum, usd) => sum + usd, 0),
    retrievedAtMs: Math.min(...terminal.map(({ retrievedAtMs }) => retrievedAtMs)),
    flags: [
      ...(quotes.some(({ mid }, index) => mid !== fitted[index]) ? (["ladder_out_of_order"] as const) : []),
      ...(terminal.some(({ basisFrom }) => basisFrom === "rate") ? (["basis_from_rate"] as const) : []),
    ],
  };
};

/** The result is only as good as the assumed rate. */
const BASIS_DECIMALS = 6;

/**
 * The basis of markets on the future while its price is unknown: spot over the future that will be the active one when a market expires, both at that instant: exp(−rate × years from then to the
 * future's last trading day), at 4 % a year.
 * @returns slightly below 1; null where the exchange lists no future for that day
 */
export const basisFromRate = (metal: SurfaceMetal, expiresAtMs: number): DecimalText | null => {
  const active = activeContractOn(metal.toUpperCase(), utcDay(expiresAtMs));
  if (!active) return null;
  const years = Math.max(0, Date.parse(`${lastTradeDay(active)}T00:00:00Z`) - expiresAtMs) / YEAR_MS;
  return new Decimal(Math.exp(-FALLBACK_RATE * years)).toDecimalPlaces(BASIS_DECIMALS).toFixed();
};
