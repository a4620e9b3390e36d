import { describe, expect, it } from "vitest";
import { comparison, isWorse, type WrittenFigure } from "./baseline.ts";

const base: WrittenFigure = { id: "P1", what: "spot", figure: 1.4, margin: 0.2 };
const small = { atMost: 1.3 };
const large = { atLeast: 6 };

describe("a figure against the baseline", () => {
  it("may be worse by its margin and not by more", () => {
    expect(isWorse(base, { figure: 1.67, goal: small })).toBe(false);
    expect(isWorse(base, { figure: 1.69, goal: small })).toBe(true);
  });

  it("may be better by any amount", () => {
    expect(isWorse(base, { figure: 0.1, goal: small })).toBe(false);
    expect(isWorse(base, { figure: 14, goal: large })).toBe(false);
  });

  it("is worse when it falls, if it should be large", () => {
    expect(isWorse(base, { figure: 1.13, goal: large })).toBe(false);
    expect(isWorse(base, { figure: 1.11, goal: large })).toBe(true);
  });

  it("should be small when it has no goal", () => {
    expect(isWorse(base, { figure: 1.69 })).toBe(true);
  });

  it("fails when it is not a number", () => {
    expect(isWorse(base, { figure: Number.NaN, goal: small })).toBe(true);
    expect(isWorse(base, { figure: Number.NaN, goal: large })).toBe(true);
  });

  it("is printed with both values and the margin", () => {
    expect(comparison(base, 1.69)).toBe("1.69, baseline 1.40, margin 20 %");
  });
});
