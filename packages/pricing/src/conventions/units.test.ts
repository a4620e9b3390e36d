import { DEALER_WEIGHT_UNITS, METALS, WEIGHT_UNITS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { dec } from "../number/exact.ts";
import { gramsPer, metalUnit, toGrams } from "./units.ts";

describe("weights", () => {
  it("are the defined ones, in grams", () => {
    expect(Object.fromEntries(DEALER_WEIGHT_UNITS.map((unit) => [unit, gramsPer(unit).toFixed()]))).toEqual({
      gram: "1",
      kg: "1000",
      oz: "31.1034768",
      tola: "11.6638038",
      tael: "37.429",
      luong: "37.5",
      chi: "3.75",
    });
    expect(gramsPer("luong").eq(gramsPer("chi").mul(10))).toBe(true);
    expect(gramsPer("pound").toFixed()).toBe("453.59237");
  });

  it("include every unit of the convert route", () => {
    for (const unit of WEIGHT_UNITS) expect(DEALER_WEIGHT_UNITS).toContain(unit);
  });

  it("convert to grams exactly", () => {
    expect(toGrams(dec("2.5"), "tola").toFixed()).toBe("29.1595095");
  });

  it("are none but those of the catalogue", () => {
    expect(() => gramsPer("stone")).toThrow("no unit stone");
  });
});

describe("the unit of a metal's price", () => {
  it("is a pound for copper and a troy ounce for the others", () => {
    expect(METALS.map(metalUnit)).toEqual(["troy_ounce", "troy_ounce", "pound"]);
  });
});
