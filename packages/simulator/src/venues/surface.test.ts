/** Compares the surface of the simulated market with the smile its options and books are quoted from. */
import { type HorizonSurface, probabilitySurface } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { simulatedBooks } from "./books.ts";
import { simulatedOptions, simulatedSmile, smileProbAbove } from "./options.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);

const expectSound = ({ points, percentiles, venues }: HorizonSurface): void => {
  expect(points.length).toBeGreaterThan(5);
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    expect(point.probAbove).toBeGreaterThanOrEqual(0);
    expect(point.probAbove).toBeLessThanOrEqual(before?.probAbove ?? 1);
    expect(Number(point.strike)).toBeGreaterThan(Number(before?.strike ?? 0));
  }
  const prices = Object.values(percentiles).map(Number);
  expect(prices).toEqual([...prices].sort((a, b) => a - b));
  expect(venues.length).toBeGreaterThan(0);
};

describe.each([
  ["xau", 1, []],
  ["xag", 2, ["discount_from_rate"]],
  ["xau", 77, []],
] as const)("the surface of the simulated market, %s under seed %i", (metal, seed, flags) => {
  const chain = simulatedOptions(metal, AT_MS, seed);
  const markets = simulatedBooks(metal, AT_MS, seed);
  const spotUsdPerOzt = chain.spotUsdPerOzt;
  const surfaces = probabilitySurface({ metal, spotUsdPerOzt, chains: [chain], markets, nowMs: AT_MS });

  it("has every horizon, sound and by date", () => {
    expect(surfaces.map(({ horizon }) => horizon)).toEqual(
      chain.expiries.map(({ expiresAtMs }) => new Date(expiresAtMs).toISOString().slice(0, 10)),
    );
    for (const surface of surfaces) expectSound(surface);
    expect(surfaces[1]).toMatchObject({ method: "blend", flags, confidence: "high", thinLiquidity: false });
    expect(surfaces.at(-1)).toMatchObject({ method: "lognormal_kernels", flags: expect.arrayContaining(["options_only"]) });
  });

  it("lies within two points of the true probabilities", () => {
    for (const { expiresAtMs, points } of surfaces) {
      const smile = simulatedSmile(metal, AT_MS, expiresAtMs, seed);
      for (const { strike, probAbove } of points) {
        const truth = smileProbAbove(smile, Number(strike) / (Number(spotUsdPerOzt) * smile.carry));
        expect(Math.abs(probAbove - truth)).toBeLessThan(0.02);
      }
    }
  });
});
