/** The smile of the simulated options: the volatility of each day ahead, and its skew across strikes. */
import type { SurfaceMetal } from "@assay/contract";
import { blackCall, type SviSlice, sliceOf, sviVariance, withoutButterflies } from "@assay/pricing";
import { driftAt, noiseKey } from "../path/noise.ts";
import { simulatedCarry } from "../series/basis.ts";

const DAY_SECONDS = 86_400;
/** Volatility changes over weeks. */
const MOOD_SECONDS = 10 * DAY_SECONDS;

/** Annual volatility at the money, and the jump-wings skew and low-strike wing. */
const SHAPES: Record<SurfaceMetal, { readonly volatility: number; readonly psi: number; readonly p: number }> = {
  xau: { volatility: 0.17, psi: 0.05, p: 0.5 },
  xag: { volatility: 0.32, psi: 0.08, p: 0.5 },
};

/** The continuous annual interest rate of the simulated market. */
export const SIMULATED_RATE = 0.038;

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
 * @param metal the metal
 * @param atMs now, epoch milliseconds
 * @param expiresAtMs the expiry, later than now
 * @param seed the market's seed
 */
export const simulatedSmile = (metal: SurfaceMetal, atMs: number, expiresAtMs: number, seed: number): SimulatedSmile => {
  const { volatility, psi, p } = SHAPES[metal];
  const days = (expiresAtMs - atMs) / 1_000 / DAY_SECONDS;
  const years = days / 365;
  const mood = 0.85 + 0.3 * driftAt(noiseKey(seed, `${metal} volatility`), Math.floor(atMs / 1_000), MOOD_SECONDS);
  return {
    carry: simulatedCarry(metal === "xau" ? "XAU" : "XAG", days),
    discount: Math.exp(-SIMULATED_RATE * years),
    slice: sliceOf(withoutButterflies({ v: (volatility * mood) ** 2, psi, p, c: p, vMin: 0 }), years),
  };
};

/**
 * The undiscounted call over the forward.
 * @param smile the smile
 * @param moneyness strike / forward
 */
export const smileCall = ({ slice }: SimulatedSmile, moneyness: number): number =>
  blackCall(moneyness, Math.sqrt(sviVariance(slice, Math.log(moneyness))));

/** The step of the strike derivative, as a share of the strike. */
const STEP = 1e-4;

/**
 * The true probability of ending above a strike, by the strike derivative.
 * @param smile the smile
 * @param moneyness strike / forward
 */
export const smileProbAbove = (smile: SimulatedSmile, moneyness: number): number => {
  const half = moneyness * STEP;
  const slope = (smileCall(smile, moneyness - half) - smileCall(smile, moneyness + half)) / (2 * half);
  return Math.min(1, Math.max(0, slope));
};
