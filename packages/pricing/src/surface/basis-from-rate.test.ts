/** The basis of the front future when its price is unknown. */
import { expect, test } from "vitest";
import { basisFromRate } from "./basis-from-rate.ts";

test.each([
  // On 30 November GCZ26 has rolled; GCG27 trades until 24 February 2027, 86 days later: exp(−0.04 × 86 / 365), less a fraction
  // of the day.
  ["xau", "2026-11-30T00:00:00Z", "0.99062"],
  // On 20 November GCZ26 is still the front, until 29 December: 39 days.
  ["xau", "2026-11-20T00:00:00Z", "0.995735"],
  // Silver has no January: SIH27 until 29 March, 119 days from 30 November.
  ["xag", "2026-11-30T00:00:00Z", "0.987044"],
] as const)("of %s at %s is the cost of carrying it to the last day of the then front future", (metal, at, basis) => {
  expect(basisFromRate(metal, Date.parse(at))).toBe(basis);
});
