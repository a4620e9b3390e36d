import { DEALER_WEIGHT_UNITS, METALS, WEIGHT_UNITS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { dec } from "../number/decimal.ts";
import { GRAMS_PER, GRAMS_PER_METAL_UNIT, METAL_UNIT, toGrams, toTroyOunces } from "./units.ts";

describe("weights", () => {
  it("are the defined ones, in grams", () => {
    expect(Object.fromEntries(DEALER_WEIGHT_UNITS.map((unit) => [unit, GRAMS_PER[unit].toFixed()]))).toEqual({
      gram: "1",
      kg: "1000",
      oz: "31.1034768",
      tola: "11.6638038",
      tael: "37.429",
      luong: "37.5",
      chi: "3.75",
    });
    expect(GRAMS_PER.luong.eq(GRAMS_PER.chi.mul(10))).toBe(true);
    expect(GRAMS_PER_METAL_UNIT.pound.toFixed()).toBe("453.59237");
  });

  it("include every unit of the convert route", () => {
    for (const unit of WEIGHT_UNITS) expect(DEALER_WEIGHT_UNITS).toContain(unit);
  });

  it("convert to grams exactly and to troy ounces at 40 digits", () => {
    expect(toGrams(dec("2.5"), "tola").toFixed()).toBe("29.1595095");
    expect(toTroyOunces(dec("2.5"), "oz").toFixed()).toBe("2.5");
    expect(toTroyOunces(dec("1"), "kg").toFixed(9)).toBe("32.150746569");
    expect(toTroyOunces(dec("31.1034768"), "gram").toFixed()).toBe("1");
  });
});

describe("the unit of a metal's price", () => {
  it("is a pound for copper and a troy ounce for the others", () => {
    expect(METALS.map((metal) => METAL_UNIT[metal])).toEqual(["troy_ounce", "troy_ounce", "pound"]);
  });
});
