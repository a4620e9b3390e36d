/** Black's formula per unit of forward: strike and price as shares of the forward, undiscounted. */
import { normalBelow } from "./normal.ts";

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
