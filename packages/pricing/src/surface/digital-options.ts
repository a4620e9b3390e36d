/** Digital options in a Black–Scholes world: paid by the price at expiry, or once a price is touched. */
import { normalBelow } from "./normal.ts";

/** The parameters of a closed form: continuous annual rates, time in years. */
export interface BlackScholes {
  /** The price of the underlying. */
  readonly spot: number;
  /** Continuous interest rate. */
  readonly rate: number;
  /** Continuous yield of the underlying. */
  readonly yield: number;
  readonly volatility: number;
  readonly years: number;
}

const d1 = (world: BlackScholes, strike: number): number =>
  (Math.log(world.spot / strike) + (world.rate - world.yield + world.volatility ** 2 / 2) * world.years) /
  (world.volatility * Math.sqrt(world.years));

/**
 * The value of one unit of money paid if the price ends above the strike (call) or below it (put).
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
 * The value of the underlying if delivered only when its price ends above the strike (call) or below it (put).
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
