/** Closed forms: the normal distribution, Black's formula per unit of forward, undiscounted, and what a touch is worth. */
/// <reference path="./untyped.d.ts" />
import jstat from "jstat";

const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);

/**
 * Φ(z), the share of a standard normal variable below z.
 * @param z in deviations
 * @returns 0 to 1, to about 1e-15
 */
export const normalBelow = (z: number): number => 0.5 * jstat.erfc(-z * Math.SQRT1_2);

/**
 * φ(z), the density of a standard normal variable.
 * @param z in deviations
 */
export const normalDensity = (z: number): number => Math.exp(-0.5 * z * z) / ROOT_TWO_PI;

/**
 * Φ⁻¹(p), the point below which a standard normal variable lies with probability p.
 * @param p above 0 and below 1
 * @returns deviations
 */
export const normalPoint = (p: number): number => -Math.SQRT2 * jstat.erfcinv(2 * p);

/**
 * The undiscounted price of a call over the forward: Φ(d₁) − k Φ(d₁ − s), with d₁ = −ln k / s + s / 2.
 * @param moneyness strike / forward, above 0
 * @param deviation volatility × √time, 0 or more
 * @returns price / forward
 * @see F. Black, The pricing of commodity contracts, 1976
 */
export const blackCall = (moneyness: number, deviation: number): number => {
  if (deviation <= 0) return Math.max(0, 1 - moneyness);
  const d1 = -Math.log(moneyness) / deviation + deviation / 2;
  return normalBelow(d1) - moneyness * normalBelow(d1 - deviation);
};

/** Higher than in any market so far: a volatility of 400 % over a year. */
const LARGEST_DEVIATION = 4;
const HALVINGS = 50;

/**
 * The deviation at which Black's formula gives a price, by bisection.
 * @param moneyness strike / forward, above 0
 * @param call the undiscounted call over the forward
 * @returns volatility × √time; null when no deviation up to 4 gives the price
 */
export const impliedDeviation = (moneyness: number, call: number): number | null => {
  if (!(call > Math.max(0, 1 - moneyness)) || call >= blackCall(moneyness, LARGEST_DEVIATION)) return null;
  let low = 0;
  let high = LARGEST_DEVIATION;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (blackCall(moneyness, middle) < call) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** The parameters of a touch's closed form: continuous annual rates, time in years. */
export interface BlackScholes {
  readonly spot: number;
  /** Continuous interest rate. */
  readonly rate: number;
  /** Continuous yield of the underlying. */
  readonly yield: number;
  readonly volatility: number;
  readonly years: number;
}

/**
 * The value of one unit of money paid if the price reaches a barrier before expiry.
 *
 * Such a market is about how far a price may move, not where it ends, and is never used in the surface.
 * @param world rates, volatility and time
 * @param barrier in the price's unit; above the price it is an upper barrier, below it a lower one
 * @param paid at the touch, or at expiry
 * @see E. G. Haug, Option Pricing Formulas, binary barrier options (cash-at-hit and cash-at-expiry)
 */
export const oneTouch = (world: BlackScholes, barrier: number, paid: "at_hit" | "at_expiry"): number => {
  const { spot, rate, volatility, years } = world;
  const root = volatility * Math.sqrt(years);
  const drift = (rate - world.yield - volatility ** 2 / 2) / volatility ** 2;
  const discount = paid === "at_hit" ? rate : 0;
  const power = Math.sqrt(drift ** 2 + (2 * discount) / volatility ** 2);
  const side = barrier > spot ? -1 : 1;
  const z = Math.log(barrier / spot) / root + power * root;
  const touched =
    (barrier / spot) ** (drift + power) * normalBelow(side * z) +
    (barrier / spot) ** (drift - power) * normalBelow(side * (z - 2 * power * root));
  return paid === "at_hit" ? touched : Math.exp(-rate * years) * touched;
};
