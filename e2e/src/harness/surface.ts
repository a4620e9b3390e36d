/** What holds of every probability surface. */
import type { contract, OutputOf } from "@assay/contract";
import { expect } from "vitest";

type Surface = OutputOf<typeof contract.surface.get>;

/** Every invariant of a single surface. */
export const holdToInvariants = (surface: Surface): void => {
  const { p10, p25, p50, p75, p90 } = surface.percentiles;
  const percentiles = [p10, p25, p50, p75, p90].map(Number);
  expect(percentiles).toEqual(percentiles.toSorted((a, b) => a - b));
  const strikes = surface.points.map(({ strike }) => Number(strike));
  expect(strikes).toEqual([...new Set(strikes)].toSorted((a, b) => a - b));
  const above = surface.points.map(({ prob_above }) => prob_above);
  // Falling from strike to strike: so the density between them is never negative and sums to one.
  expect(above).toEqual(above.toSorted((a, b) => b - a));
  expect(above[0]).toBeGreaterThan(0.95);
  expect(above.at(-1)).toBeLessThan(0.05);
  // What the points give at the percentiles' own prices.
  const probAt = (price: number): number => {
    const high = strikes.findIndex((strike) => strike >= price);
    const [a, b] = [strikes[high - 1] ?? 0, strikes[high] ?? 0];
    return (above[high - 1] ?? 0) + (((above[high] ?? 0) - (above[high - 1] ?? 0)) * (price - a)) / (b - a);
  };
  for (const [index, share] of [0.1, 0.25, 0.5, 0.75, 0.9].entries()) {
    expect(probAt(percentiles[index] ?? 0)).toBeGreaterThan(1 - share - 0.02);
    expect(probAt(percentiles[index] ?? 0)).toBeLessThan(1 - share + 0.02);
  }
  expect(surface.venues.length).toBeGreaterThan(0);
  expect(Number(surface.forward_usd) / Number(surface.spot_usd)).toBeGreaterThan(0.97);
  expect(Number(surface.forward_usd) / Number(surface.spot_usd)).toBeLessThan(1.1);
};
