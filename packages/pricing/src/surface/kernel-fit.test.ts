/** The bimodal distribution of the published figures: 40 % at e^6.8 and 60 % at e^6.95, 60 days ahead. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FitPoint, fitMixture, LognormalMixture } from "./kernel-fit.ts";

const FORWARD = 986.7356111009426;
const part = (weight: number, meanLog: number, deviation: number) => ({
  weight,
  mean: Math.exp(meanLog + deviation ** 2 / 2) / FORWARD,
  deviation,
});
const TRUTH = new LognormalMixture([part(0.4, 6.8, 0.065), part(0.6, 6.95, 0.055)]);
const STRIKES = Array.from({ length: 25 }, (_, index) => 700 + 25 * index);
/** Its at-the-money straddle as a deviation. */
const DEVIATION = 0.093;

const quoted = (half: number, noise: readonly number[]): FitPoint[] =>
  STRIKES.map((strike, index) => ({
    moneyness: strike / FORWARD,
    call: TRUTH.call(strike / FORWARD) + ((noise[index] ?? 0) * half) / FORWARD,
    half: half / FORWARD,
  }));
const worstOf = (fitted: LognormalMixture | null): number =>
  Math.max(...STRIKES.map((strike) => Math.abs((fitted?.probAbove(strike / FORWARD) ?? 9) - TRUTH.probAbove(strike / FORWARD))));

const noises = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 25, maxLength: 25 });

describe("fitMixture", () => {
  it("recovers a known mixture to 0.05 points from exact prices", () => {
    expect(worstOf(fitMixture(quoted(0.001, []), DEVIATION))).toBeLessThan(0.0005);
  });

  it("recovers a known mixture to 1.5 points from quotes with noise of up to 0.3 on prices of up to 284", () => {
    fc.assert(
      fc.property(noises, (noise) => {
        expect(worstOf(fitMixture(quoted(0.3, noise), DEVIATION))).toBeLessThan(0.015);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("makes a distribution of any quotes: density not negative, total one, mean one", () => {
    const anything = fc.array(
      fc.record({
        moneyness: fc.double({ min: 0.3, max: 3, noNaN: true }),
        call: fc.double({ min: 0, max: 1, noNaN: true }),
        half: fc.double({ min: 1e-5, max: 0.1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(anything, fc.double({ min: 0.01, max: 1, noNaN: true }), (points, deviation) => {
        const fitted = fitMixture(points, deviation);
        expect(fitted).not.toBeNull();
        if (!fitted) return;
        for (const { weight } of fitted.parts) expect(weight).toBeGreaterThan(0);
        expect(fitted.parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
        expect(fitted.parts.reduce((sum, { weight, mean }) => sum + weight * mean, 0)).toBeCloseTo(1, 9);
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 100 : 30 },
    );
  });

  it("keeps calls above what the expiry before allows", () => {
    const before = new LognormalMixture([{ weight: 1, mean: 1, deviation: 0.12 }]);
    const floors = Array.from({ length: 15 }, (_, index) => {
      const moneyness = 0.7 + 0.05 * index;
      return { moneyness, call: before.call(moneyness) };
    });
    const fitted = fitMixture(quoted(0.3, []), DEVIATION, floors);
    for (const { moneyness, call } of floors) expect(fitted?.call(moneyness)).toBeGreaterThan(call - 1e-6);
    expect(TRUTH.call(1)).toBeLessThan(before.call(1));
  });
});
