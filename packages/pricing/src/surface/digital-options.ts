/** Digital options in a Black–Scholes world: those that pay by the price at expiry, and those that pay when it is touched. */
import { normalBelow } from "./normal.ts";

/** The world of a closed form: continuous rates a year, time in years. */
export interface BlackScholes {
  /** The price of the underlying. */
  readonly spot: number;
  /** Continuous rate of interest. */
  readonly rate: number;
  /** What holding the underlying earns, continuous. */
  readonly yield: number;
  readonly volatility: number;
  readonly years: number;
}

const d1 = (world: BlackScholes, strike: number): number =>
  (Math.log(world.spot / strike) + (world.rate - world.yield + world.volatility ** 2 / 2) * world.years) /
  (world.volatility * Math.sqrt(world.years));

/**
 * What one unit of money costs that is paid if the price ends above the strike (call) or below it (put).
 * @param world rates, volatility and time
 * @param strike in the price's unit
 * @param right which side pays
 * @see E. G. Haug, Option Pricing Formulas, cash-or-nothing options
 */
export const cashOrNothing = (world: BlackScholes, strike: number, right: "call" | "put"): number => {
  const d2 = d1(world, strike) - world.volatility * Math.sqrt(world.years);
  return Math.exp(-world.rate * world.years) * normalBelow(right === "call" ? d2 : -d2);
};

/**
 * What the underlying costs if it is delivered only when its price ends above the strike (call) or below it (put).
 * @param world rates, volatility and time
 * @param strike in the price's unit
 * @param right which side pays
 * @see E. G. Haug, Option Pricing Formulas, asset-or-nothing options
 */
export const assetOrNothing = (world: BlackScholes, strike: number, right: "call" | "put"): number => {
  const z = d1(world, strike);
  return world.spot * Math.exp(-world.yield * world.years) * normalBelow(right === "call" ? z : -z);
};

/**
 * What one unit of money costs that is paid if the price reaches a barrier before expiry.
 *
 * Such a market says how far a price may stray, not where it ends: it never enters the surface.
 * @param world rates, volatility and time
 * @param barrier in the price's unit; above the price it is reached upwards, below it downwards
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
