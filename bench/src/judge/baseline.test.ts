import { describe, expect, it } from "vitest";
import { type BaselineFigure, comparison, figureAt, isWorse } from "./baseline.ts";

const base: BaselineFigure = {
  id: "P1",
  what: "spot",
  at: [
    { floor: 10, figure: 1.2 },
    { floor: 20, figure: 1.6 },
  ],
  margin: 0.2,
};
const small = { atMost: 1.3 };
const large = { atLeast: 6 };

describe("the baseline of a machine", () => {
  it.each([
    [10, 1.2],
    [15, 1.4],
    [20, 1.6],
    [4, 1.2],
    [50, 1.6],
  ])("with a floor of %s µs is %s: on the line between two points, and not beyond them", (floor, figure) => {
    expect(figureAt(base, floor)).toBeCloseTo(figure, 10);
  });

  it("without a point is no number, and everything is worse", () => {
    expect(figureAt({ at: [] }, 10)).toBeNaN();
    expect(isWorse({ ...base, at: [] }, 10, { value: 0.1 })).toBe(true);
  });
});

describe("a figure against the baseline", () => {
  it("may be worse by its margin and not by more, which a slow machine does not loosen for a fast one", () => {
    expect(isWorse(base, 10, { value: 1.43, bound: small })).toBe(false);
    expect(isWorse(base, 10, { value: 1.45, bound: small })).toBe(true);
    expect(isWorse(base, 20, { value: 1.9, bound: small })).toBe(false);
  });

  it("may be better by any amount", () => {
    expect(isWorse(base, 10, { value: 0.1, bound: small })).toBe(false);
    expect(isWorse(base, 10, { value: 14, bound: large })).toBe(false);
  });

  it("is worse when it falls, if it should be large", () => {
    expect(isWorse(base, 10, { value: 0.97, bound: large })).toBe(false);
    expect(isWorse(base, 10, { value: 0.95, bound: large })).toBe(true);
  });

  it("should be small when it has no bound", () => {
    expect(isWorse(base, 10, { value: 1.45 })).toBe(true);
  });

  it("fails when it is not a number", () => {
    expect(isWorse(base, 10, { value: Number.NaN, bound: small })).toBe(true);
    expect(isWorse(base, 10, { value: Number.NaN, bound: large })).toBe(true);
  });

  it("is printed with both values and the margin", () => {
    expect(comparison(base, 15, 1.69)).toBe("1.69, baseline 1.40, margin 20 %");
  });
});
