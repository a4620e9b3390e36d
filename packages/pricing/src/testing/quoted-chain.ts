/** Option chains for tests, quoted from a known smile, so that results can be compared with it. */
import { DAY_MS, type SurfaceMetal } from "@assay/contract";
import { blackCall } from "../surface/black.ts";
import type { OptionChain, OptionExpiry, OptionQuote } from "../surface/option-chain.ts";
import { type SviSlice, sliceOf, sviVariance, withoutButterflies } from "../surface/svi.ts";

const RATE = 0.038;
const CARRY_A_YEAR = 0.045;
const SPOT: Readonly<Record<string, string>> = { xau: "4003.20", xag: "59.604" };
/** Fridays at 21:00 UTC: weekly first, then monthly, up to a year after 2026-11-20. */
const EXPIRIES = ["2026-11-20", "2026-11-27", "2026-12-04", "2026-12-18", "2027-01-29", "2027-03-26", "2027-06-25", "2027-11-26"];

/** The true parameters of one expiry. */
export interface QuotedSmile {
  /** Forward over spot. */
  readonly carry: number;
  /** The present value of one dollar at expiry. */
  readonly discount: number;
  readonly slice: SviSlice;
}

export const quotedSmile = (volatility: number, nowMs: number, expiresAtMs: number): QuotedSmile => {
  const years = (expiresAtMs - nowMs) / DAY_MS / 365;
  return {
    carry: 1 + CARRY_A_YEAR * years,
    discount: Math.exp(-RATE * years),
    slice: sliceOf(withoutButterflies({ v: volatility ** 2, psi: 0.05, p: 0.5, c: 0.5, vMin: 0 }), years),
  };
};

const callOf = ({ slice }: QuotedSmile, moneyness: number): number =>
  blackCall(moneyness, Math.sqrt(sviVariance(slice, Math.log(moneyness))));

/** The true probability of ending above a strike, by the strike derivative; moneyness is strike over forward. */
export const trueProbAbove = (smile: QuotedSmile, moneyness: number): number => {
  const half = moneyness * 1e-4;
  return (callOf(smile, moneyness - half) - callOf(smile, moneyness + half)) / (2 * half);
};

/** Both sides of one strike: the fair price rounded to the tick, two ticks and 0.6 % to either side. */
const quotesOf = (smile: QuotedSmile, strike: string, forward: number, decimals: number): OptionQuote[] => {
  const moneyness = Number(strike) / forward;
  const call = callOf(smile, moneyness);
  const tick = decimals === 2 ? 0.1 : 0.005;
  return (["call", "put"] as const).map((right) => {
    const ticks = Math.round((smile.discount * forward * (right === "call" ? call : call - 1 + moneyness)) / tick);
    const half = Math.round(2 + 0.006 * ticks);
    const text = (count: number): string => (count * tick).toFixed(decimals);
    return { right, strike, bid: ticks > half ? text(ticks - half) : null, ask: text(ticks + half), volume: "10" };
  });
};

/** A chain of European options on the metal itself. */
export const quotedChain = (
  metal: SurfaceMetal,
  nowMs: number,
  { volatility = 0.17, expiries = EXPIRIES.map((day) => Date.parse(`${day}T21:00:00Z`)), strikes = 24 } = {},
): OptionChain => {
  const spot = SPOT[metal] ?? "4003.20";
  const decimals = metal === "xau" ? 2 : 3;
  return {
    venue: "quoted",
    metal,
    style: "european",
    underlying: metal.toUpperCase(),
    underlyingUsd: spot,
    spotUsdPerOzt: spot,
    retrievedAtMs: nowMs,
    expiries: expiries.map((expiresAtMs): OptionExpiry => {
      const smile = quotedSmile(volatility, nowMs, expiresAtMs);
      const forward = Number(spot) * smile.carry;
      const step = (forward * Math.sqrt(sviVariance(smile.slice, 0))) / 7;
      const rungs = Array.from({ length: 2 * strikes + 1 }, (_, index) => (forward + (index - strikes) * step).toFixed(decimals));
      return {
        expiresAtMs,
        quotes: rungs.filter((strike) => Number(strike) > 0).flatMap((strike) => quotesOf(smile, strike, forward, decimals)),
      };
    }),
  };
};
