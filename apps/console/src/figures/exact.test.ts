import { describe, expect, it } from "vitest";
import {
  carryPercent,
  dayChange,
  distanceOfBps,
  distancePercent,
  forWeight,
  higher,
  inTermsOf,
  lower,
  ofPurity,
  percentOfBps,
  percentOfShare,
  withSign,
} from "./exact.ts";

describe("the distance of two prices", () => {
  it("is in percent, rounded once, with a sign", () => {
    expect(distancePercent("4003.60", "4003.20")).toBe("+0.010");
    expect(distancePercent("4002.80", "4003.20")).toBe("-0.010");
    expect(distancePercent("4003.20", "4003.20")).toBe("0.000");
    expect(distancePercent("4003.1999", "4003.20")).toBe("0.000");
    expect(distancePercent("333612.50", "333612.49")).toBe("0.000");
  });

  it("is unknown without two positive prices", () => {
    expect(distancePercent("", "4003.20")).toBeNull();
    expect(distancePercent("4003.20", "0.00")).toBeNull();
  });
});

describe("a price in other terms", () => {
  it("is that of another weight, exact to its last decimal", () => {
    expect(forWeight("4003.20", "1", "31.1034768")).toBe("128.71");
    expect(forWeight("128705.87", "37.429", "1000")).toBe("4817.33");
    expect(forWeight("4003.20", "31.1034768", "31.1034768")).toBe("4003.20");
  });

  it("is that of a purity", () => {
    expect(ofPurity("131627.31", 22, 24)).toBe("120658.37");
    expect(ofPurity("131627.31", 24, 24)).toBe("131627.31");
  });

  it("is a source's in the money of the price that is shown, as far from it as before", () => {
    expect(inTermsOf("4003.60", "4003.20", "358700.00")).toBe("358735.84");
    expect(inTermsOf("4003.20", "4003.20", "358700.00")).toBe("358700.00");
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

it("has the price's decimals, and percent with two", () => {
  expect(dayChange("4003.20", "3990.90")).toEqual({ change: "12.30", percent: "0.31" });
  expect(dayChange("52.1840", "53.0000")).toEqual({ change: "-0.8160", percent: "-1.54" });
  expect(dayChange("4003.20", "4003.20")).toEqual({ change: "0.00", percent: "0.00" });
});

it("signs a rise, and neither a fall twice nor zero", () => {
  expect(["12.30", "-0.10", "0.00", "-0.00", "3"].map(withSign)).toEqual(["+12.30", "-0.10", "0.00", "0.00", "+3"]);
});

it("shows basis points as percent", () => {
  expect([125, -20, 0, 1, "333.5"].map(percentOfBps)).toEqual(["1.25", "-0.20", "0.00", "0.01", "3.34"]);
});

it("shows what is published to a tenth of a basis point as percent, and a share, without losing a digit", () => {
  expect([0.1, 1.2, 6.4, 120].map(distanceOfBps)).toEqual(["0.001", "0.012", "0.064", "1.200"]);
  expect([0, 0.0001, 0.9987, 1].map(percentOfShare)).toEqual(["0.00", "0.01", "99.87", "100.00"]);
});
