import { describe, expect, test } from "vitest";
import { convert } from "./convert.ts";
import { weightPrice } from "./weight-price.ts";

describe("the price of a weight", () => {
  test("is what that many ounces or pounds cost", () => {
    expect(weightPrice("4003.20", "1", "troy_ounce", "oz")).toBe("4003.20");
    expect(weightPrice("4003.20", "1", "troy_ounce", "kg")).toBe("128705.87");
    expect(weightPrice("4003.20", "1", "troy_ounce", "tola")).toBe("1501.20");
    expect(weightPrice("5.1250", "1", "pound", "kg")).toBe("11.2987");
  });

  test("is rounded once, after the currency: converting an ounce already rounded gives other digits", () => {
    expect(weightPrice("4003.205", "0.86413", "troy_ounce", "kg")).toBe("111218.74");
    expect(weightPrice("3459.29", "1", "troy_ounce", "kg")).toBe("111218.76");
  });

  test("agrees with a conversion of the same weight", () => {
    for (const unit of ["oz", "gram", "kg"] as const) {
      const conversion = convert(
        { from: "XAU", to: "EUR", amount: "1", unit },
        () => "4003.205",
        () => "0.86413",
      );
      const rate = conversion.ok ? Number(conversion.rate) : Number.NaN;
      expect(Number(weightPrice("4003.205", "0.86413", "troy_ounce", unit))).toBeCloseTo(rate, 1);
    }
  });
});
