/**
 * Options of the simulated market: a smile by day ahead and strike, and the chain quoted from it, with realistic ticks and
 * spreads.
 */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { DAY_MS, type DecimalText, type SurfaceMetal } from "@assay/contract";
import {
  blackCall,
  type OptionChain,
  type OptionExpiry,
  type OptionQuote,
  type SviSlice,
  sliceOf,
  sviVariance,
  withoutButterflies,
} from "@assay/pricing";
import { driftAt, noiseKey, shareAt } from "../path/noise.ts";
import { DAY_SECONDS } from "../path/tree.ts";
import { simulatedPrice, toUnits, unitsText } from "../prices/price.ts";
import { simulatedCarry } from "../series/levels.ts";

/** Volatility changes over weeks. */
const MOOD_SECONDS = 10 * DAY_SECONDS;

/** Of a metal whose row does not say: that of gold, roughly. */
const UNKNOWN = { volatility: 0.2, psi: 0.05, p: 0.5, option_decimals: 2, option_tick: 5 };

/** How options of a metal are priced and listed. */
const optionsOf = (metal: SurfaceMetal): typeof UNKNOWN => catalogue.metal(metal.toUpperCase()).surface?.simulated ?? UNKNOWN;

/** The continuous annual interest rate of the simulated market. */
const SIMULATED_RATE = 0.038;

/** The true distribution behind simulated options and prediction markets of one expiry. */
export interface SimulatedSmile {
  /** Forward over spot. */
  readonly carry: number;
  /** The present value of one dollar at expiry. */
  readonly discount: number;
  readonly slice: SviSlice;
}

/**
 * The smile of one metal and expiry: jump wings adjusted to be free of butterfly arbitrage, with total variance that grows with
 * time.
 * @param atMs now, epoch milliseconds
 * @param expiresAtMs the expiry, later than now
 * @param seed the market's seed
 */
export const simulatedSmile = (metal: SurfaceMetal, atMs: number, expiresAtMs: number, seed: number): SimulatedSmile => {
  const { volatility, psi, p } = optionsOf(metal);
  const days = (expiresAtMs - atMs) / 1_000 / DAY_SECONDS;
  const years = days / 365;
  const mood = 0.85 + 0.3 * driftAt(noiseKey(seed, `${metal} volatility`), Math.floor(atMs / 1_000), MOOD_SECONDS);
  return {
    carry: simulatedCarry(metal.toUpperCase(), days),
    discount: Math.exp(-SIMULATED_RATE * years),
    slice: sliceOf(withoutButterflies({ v: (volatility * mood) ** 2, psi, p, c: p, vMin: 0 }), years),
  };
};

/**
 * The undiscounted call over the forward.
 * @param moneyness strike / forward
 */
const smileCall = ({ slice }: SimulatedSmile, moneyness: number): number =>
  blackCall(moneyness, Math.sqrt(sviVariance(slice, Math.log(moneyness))));

/** The step of the strike derivative, as a share of the strike. */
const STEP = 1e-4;

/**
 * The true probability of ending above a strike, by the strike derivative.
 * @param moneyness strike / forward
 */
export const smileProbAbove = (smile: SimulatedSmile, moneyness: number): number => {
  const half = moneyness * STEP;
  const slope = (smileCall(smile, moneyness - half) - smileCall(smile, moneyness + half)) / (2 * half);
  return Math.min(1, Math.max(0, slope));
};

/** When options expire, after midnight UTC. */
const SIMULATED_EXPIRY_MS = 21 * 3_600_000;
const FRIDAY = 5;
const WEEKLIES = 6;
/** Number of monthly expiries after the weekly ones. */
const MONTHS = [2, 3, 4, 5, 6, 8, 10, 12] as const;

const weekdayOf = (day: number): number => (day + 4) % 7; // 1970-01-01 was a Thursday; 0 is Sunday
const lastFriday = (year: number, month: number): number => {
  const last = Date.UTC(year, month + 1, 0) / DAY_MS;
  return last - ((weekdayOf(last) - FRIDAY + 7) % 7);
};

/**
 * The listed expiries at an instant: the next Fridays, then the last Friday of later months.
 * @param atMs epoch milliseconds
 * @returns epoch milliseconds, ascending
 */
export const simulatedExpiries = (atMs: number): number[] => {
  const today = Math.floor(atMs / DAY_MS);
  const first = today + ((FRIDAY - weekdayOf(today) + 7) % 7);
  const now = new Date(atMs);
  const days = [
    ...Array.from({ length: WEEKLIES }, (_, week) => first + 7 * week),
    ...MONTHS.map((ahead) => lastFriday(now.getUTCFullYear(), now.getUTCMonth() + ahead)),
  ];
  return [...new Set(days)]
    .sort((a, b) => a - b)
    .flatMap((day) => {
      const expiresAtMs = day * DAY_MS + SIMULATED_EXPIRY_MS;
      return expiresAtMs > atMs ? [expiresAtMs] : [];
    });
};

/** Strikes to either side of the money, in steps of a seventh of a deviation. */
const STRIKES = 24;
const STEPS_PER_DEVIATION = 7;

/** Rounds a strike step to 1, 2, 2.5 or 5 times a power of ten. */
const strikeStep = (width: number): number => {
  const power = 10 ** Math.floor(Math.log10(width));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= width) ?? width;
};

/** Half the spread: two ticks and 0.6 % of the price, varying by a third between options. */
const halfSpread = (units: number, tick: number, share: number): number =>
  Math.max(1, Math.round((2 + 0.006 * (units / tick)) * (0.67 + 0.67 * share))) * tick;

/** The listed options of one strike and expiry. */
interface Listing {
  readonly metal: SurfaceMetal;
  readonly strike: number;
  readonly strikeText: DecimalText;
  readonly forward: number;
  readonly key: number;
}

const quotesOf = (listing: Listing, smile: SimulatedSmile): OptionQuote[] => {
  const { metal, strike, forward } = listing;
  const { option_decimals: decimals, option_tick: tick } = optionsOf(metal);
  const call = smileCall(smile, strike / forward);
  return (["call", "put"] as const).map((right, side) => {
    const fair = smile.discount * forward * (right === "call" ? call : call - 1 + strike / forward);
    const share = shareAt(listing.key, Math.round(strike * 1_000) * 2 + side);
    const half = halfSpread(toUnits(fair, decimals), tick, share);
    const middle = Math.round(toUnits(fair, decimals) / tick) * tick;
    const bid = middle - half;
    const volume = Math.floor(40 * share * share * Math.exp(-0.5 * (Math.log(strike / forward) / 0.05) ** 2));
    return {
      right,
      strike: listing.strikeText,
      bid: bid > 0 ? unitsText(bid, decimals) : null,
      ask: unitsText(middle + half, decimals),
      volume: String(volume),
    };
  });
};

interface ChainOptions {
  /** The expiries; defaults to the listed ones. */
  readonly expiries?: readonly number[];
  /** Strikes to either side of the money; defaults to 24. */
  readonly strikes?: number;
}

/**
 * The simulated option chain at an instant: European options on the metal itself, with two-sided quotes.
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed
 */
export const simulatedOptions = (
  metal: SurfaceMetal,
  atMs: number,
  seed: number,
  { expiries = simulatedExpiries(atMs), strikes = STRIKES }: ChainOptions = {},
): OptionChain => {
  const spot = simulatedPrice(spotSymbol(metal.toUpperCase()), atMs, seed);
  const listed = expiries.map((expiresAtMs): OptionExpiry => {
    const smile = simulatedSmile(metal, atMs, expiresAtMs, seed);
    const forward = Number(spot) * smile.carry;
    const deviation = Math.sqrt(sviVariance(smile.slice, 0));
    const step = strikeStep((forward * deviation) / STEPS_PER_DEVIATION);
    const middle = Math.round(forward / step);
    const rungs = Array.from({ length: 2 * strikes + 1 }, (_, index) => middle + index - strikes).filter((rung) => rung > 0);
    const key = noiseKey(seed, `${metal} options ${expiresAtMs} ${Math.floor(atMs / 60_000)}`);
    return {
      expiresAtMs,
      quotes: rungs.flatMap((rung) => {
        const strike = (rung * Math.round(step * 1_000)) / 1_000;
        return quotesOf({ metal, strike, strikeText: unitsText(Math.round(strike * 1_000), 3), forward, key }, smile);
      }),
    };
  });
  return {
    venue: "simulated-options",
    metal,
    style: "european",
    underlying: metal.toUpperCase(),
    underlyingUsd: spot,
    spotUsdPerOzt: spot,
    expiries: listed,
    retrievedAtMs: Math.floor(atMs / 1_000) * 1_000,
  };
};
