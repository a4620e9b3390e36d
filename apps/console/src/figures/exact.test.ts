import { describe, expect, it } from "vitest";
import { carryPercent, distanceBps, higher, lower } from "./exact.ts";

describe("the distance of two prices", () => {
  it("is in basis points, rounded once, with a sign", () => {
    expect(distanceBps("4003.60", "4003.20")).toBe("+1.0");
    expect(distanceBps("4002.80", "4003.20")).toBe("-1.0");
    expect(distanceBps("4003.20", "4003.20")).toBe("0.0");
    expect(distanceBps("4003.1999", "4003.20")).toBe("0.0");
    expect(distanceBps("333612.50", "333612.49")).toBe("0.0");
  });

  it("is unknown without two positive prices", () => {
    expect(distanceBps("", "4003.20")).toBeNull();
    expect(distanceBps("4003.20", "0.00")).toBeNull();
  });
});

describe("carry", () => {
  it("is simple interest on actual days of a 365-day year", () => {
    expect(carryPercent("4040.00", "4000.00", 73)).toBe("+5.00");
    expect(carryPercent("3996.00", "4000.00", 365)).toBe("-0.10");
    expect(carryPercent("4000.00", "4000.00", 30)).toBe("0.00");
  });

  it("is unknown between deliveries on one day", () => {
    expect(carryPercent("4040.00", "4000.00", 0)).toBeNull();
  });
});

it("compares figures as figures, not as text, and keeps their digits", () => {
  expect(higher("999.50", "3998.20")).toBe("3998.20");
  expect(lower("999.50", "3998.20")).toBe("999.50");
  expect(higher("4000.00", "4000")).toBe("4000.00");
});
