import { KARATS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal, dec } from "../number/decimal.ts";
import { karatPrices } from "./karat.ts";

describe("karatPrices", () => {
  it("is usd / 31.1034768 × rate × N / 24, 4 decimals", () => {
    expect(karatPrices("4003.20", "1")).toEqual({
      24: "128.7059",
      22: "117.9804",
      21: "112.6176",
      20: "107.2549",
      18: "96.5294",
      16: "85.8039",
      14: "75.0784",
      10: "53.6274",
    });
  });

  it("rounds half up once, also where the exact figure is a tie", () => {
    // 20/24 of 0.00006 and 10/24 of 0.00012 are both exactly 0.00005, a tie at four decimals.
    expect(karatPrices("31.1034768", "0.00006")[20]).toBe("0.0001");
    expect(karatPrices("31.1034768", "0.00012")[10]).toBe("0.0001");
  });

  it("agrees with decimal.js for any price and rate", () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        units,
        fc.integer({ min: 0, max: 6 }),
        units,
        fc.integer({ min: 0, max: 8 }),
        (price, scale, rate, rateScale) => {
          const usd = new Decimal(price.toString()).div(new Decimal(10).pow(scale));
          const fx = new Decimal(rate.toString()).div(new Decimal(10).pow(rateScale));
          const prices = karatPrices(usd.toFixed(), fx);
          for (const karat of KARATS) {
            expect(prices[karat]).toBe(usd.mul(fx).mul(karat).div(dec("31.1034768").mul(24)).toFixed(4));
          }
        },
      ),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 2_000 : 400 },
    );
  });

  it("never has a purer karat cheaper than a less pure one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (cents) => {
        const figures = KARATS.map((karat) => dec(karatPrices(dec(cents).div(100), "1")[karat]));
        for (const [place, figure] of figures.entries()) expect(figure.lte(figures[place - 1] ?? figure)).toBe(true);
      }),
    );
  });
});
