/** Option quotes of the simulated market: a chain from its smile, with realistic ticks and spreads. */
import { DAY_MS, type DecimalText, type SurfaceMetal } from "@assay/contract";
import type { OptionChain, OptionExpiry, OptionQuote } from "@assay/pricing";
import { sviVariance } from "@assay/pricing";
import { noiseKey, shareAt } from "../path/noise.ts";
import { toUnits, unitsText } from "../prices/digits.ts";
import { simulatedPrice } from "../prices/price.ts";
import { type SimulatedSmile, simulatedSmile, smileCall } from "./smile.ts";

/** When options expire, after midnight UTC. */
export const SIMULATED_EXPIRY_MS = 21 * 3_600_000;
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

/** How options of a metal are listed: the strike step as a share of spot, and the decimals of prices. */
const LISTING: Record<SurfaceMetal, { readonly decimals: 2 | 3; readonly tick: number }> = {
  xau: { decimals: 2, tick: 10 },
  xag: { decimals: 3, tick: 5 },
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
  const { decimals, tick } = LISTING[metal];
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

/** Options of a chain. */
export interface ChainOptions {
  /** The expiries; defaults to the listed ones. */
  readonly expiries?: readonly number[];
  /** Strikes to either side of the money; defaults to 24. */
  readonly strikes?: number;
}

/**
 * The simulated option chain at an instant: European options on the metal itself, with two-sided quotes.
 * @param metal the metal
 * @param atMs epoch milliseconds; rounded down to the second
 * @param seed the market's seed
 * @param options expiries and strikes
 */
export const simulatedOptions = (
  metal: SurfaceMetal,
  atMs: number,
  seed: number,
  { expiries = simulatedExpiries(atMs), strikes = STRIKES }: ChainOptions = {},
): OptionChain => {
  const spot = simulatedPrice(metal === "xau" ? "XAU-USD-SPOT" : "XAG-USD-SPOT", atMs, seed);
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
