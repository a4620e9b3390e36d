/** A mixture of lognormals with a total mean of one: an arbitrage-free distribution with closed forms for every figure. */
import { blackCall } from "./black.ts";
import { normalBelow, normalDensity } from "./normal.ts";

/** One component of a mixture. */
export interface MixturePart {
  /** 0 or more; they add up to 1. */
  readonly weight: number;
  /** Its own mean, as a share of the forward. */
  readonly mean: number;
  /** The deviation of its logarithm, above 0. */
  readonly deviation: number;
}

/** The distribution of price / forward at expiry. */
export class LognormalMixture {
  readonly parts: readonly MixturePart[];
  /** @param parts weights add up to 1, and so do weighted means */
  constructor(parts: readonly MixturePart[]) {
    this.parts = parts;
  }

  /**
   * The undiscounted call over the forward.
   * @param moneyness strike / forward
   */
  call(moneyness: number): number {
    let sum = 0;
    for (const { weight, mean, deviation } of this.parts) sum += weight * mean * blackCall(moneyness / mean, deviation);
    return sum;
  }

  /**
   * The probability of ending above a strike: −∂call/∂strike.
   * @param moneyness strike / forward
   */
  probAbove(moneyness: number): number {
    if (moneyness <= 0) return 1;
    let sum = 0;
    for (const { weight, mean, deviation } of this.parts)
      sum += weight * normalBelow(Math.log(mean / moneyness) / deviation - deviation / 2);
    return Math.min(1, sum);
  }

  /**
   * The density of price / forward: ∂²call/∂strike².
   * @param moneyness strike / forward, above 0
   */
  density(moneyness: number): number {
    let sum = 0;
    for (const { weight, mean, deviation } of this.parts)
      sum += (weight / (moneyness * deviation)) * normalDensity(Math.log(mean / moneyness) / deviation - deviation / 2);
    return sum;
  }
}
