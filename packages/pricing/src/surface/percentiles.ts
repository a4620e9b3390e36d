/** Percentiles of a distribution given by its probabilities of ending above a strike. */
import type { DecimalText } from "@assay/contract";
import { Decimal, formatPrice } from "../number/decimal.ts";
import type { Blend } from "./blend.ts";

/** Prices in USD per troy ounce below which a share of the probability is; non-decreasing. */
export interface Percentiles {
  readonly p10: DecimalText;
  readonly p25: DecimalText;
  readonly p50: DecimalText;
  readonly p75: DecimalText;
  readonly p90: DecimalText;
}

const WIDENINGS = 60;
const HALVINGS = 44;

/**
 * Formats a price of the surface for the wire.
 * @param usd USD per troy ounce
 */
export const priceText = (usd: number): DecimalText => formatPrice(new Decimal(usd));

/**
 * The strike below which the price ends with a given probability, by bisection.
 * @param blend the distribution
 * @param below the probability, above 0 and below 1
 * @returns USD per troy ounce; null when there is no such strike
 */
export const strikeBelow = (blend: Blend, below: number): number | null => {
  const start = blend.forwardUsd ?? blend.curves[0]?.quoted[0]?.strike ?? null;
  if (start === null) return null;
  const above = 1 - below;
  let low = start;
  let high = start;
  for (let step = 0; step < WIDENINGS && blend.probAbove(low) < above; step++) low /= 1.3;
  for (let step = 0; step < WIDENINGS && blend.probAbove(high) > above; step++) high *= 1.3;
  if (blend.probAbove(low) < above || blend.probAbove(high) > above) return null;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (blend.probAbove(middle) > above) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/**
 * The five percentiles of a horizon.
 * @param blend the distribution
 * @returns null when one of them does not exist
 */
export const percentilesOf = (blend: Blend): Percentiles | null => {
  const texts = [0.1, 0.25, 0.5, 0.75, 0.9].flatMap((below) => {
    const strike = strikeBelow(blend, below);
    return strike === null ? [] : [priceText(strike)];
  });
  const [p10, p25, p50, p75, p90] = texts;
  if (p10 === undefined || p25 === undefined || p50 === undefined || p75 === undefined || p90 === undefined) return null;
  return { p10, p25, p50, p75, p90 };
};
