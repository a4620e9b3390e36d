/** Prices of weights, by unit, purity and karat, against decimal.js and rationals of whole numbers. */
import { KARATS, METALS, UNITS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { gramsPer, metalUnit } from "../conventions/units.ts";
import { Decimal, dec, divideExact, fraction } from "../number/exact.ts";
import { shown } from "../testing/shown.ts";
import { convert } from "./convert.ts";
import { karatPrices, measuredPrice, measureOf, presentFineness, purityShare, weightPrice } from "./weight-price.ts";

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
    // 20/24 of 0.00018 and 10/24 of 0.00036 are both exactly 0.00015, a tie at four decimals.
    expect(karatPrices("31.1034768", "0.00018")[20]).toBe("0.0002");
    expect(karatPrices("31.1034768", "0.00036")[10]).toBe("0.0002");
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
            expect(prices[karat]).toBe(shown(usd.mul(fx).mul(karat).div(dec("31.1034768").mul(24)), 4));
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

/** A rational by its text: digits without the point over a power of ten. */
const rational = (text: string): readonly [bigint, bigint] => {
  const [whole = "", decimals = ""] = text.split(".");
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
};

/** A quotient of whole numbers as a price, by the rule of the page alone: 2, 4 or 6 decimals, then four significant digits. */
const shownQuotient = (above: bigint, below: bigint): string => {
  const halfUp = (scale: bigint): bigint => (2n * above * scale + below) / (2n * below);
  let decimals = above >= 100n * below ? 2 : above >= below ? 4 : 6;
  if (above * 10n ** 6n < below) {
    while (above * 10n ** BigInt(decimals) < 1_000n * below) decimals += 1;
    // 9.9996 with four digits is 10.00.
    if (halfUp(10n ** BigInt(decimals)) === 10_000n) decimals -= 1;
  }
  const digits = halfUp(10n ** BigInt(decimals))
    .toString()
    .padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const figure = (decimals: number) =>
  fc.bigInt({ min: 1n, max: 10n ** 9n }).map((units) => {
    const digits = units.toString().padStart(decimals + 1, "0");
    return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  });

describe("a measured price", () => {
  test("is close × rate × grams × purity to the last digit, rounded once", () => {
    fc.assert(
      fc.property(
        figure(4),
        figure(4),
        figure(5),
        fc.constantFrom(...METALS),
        fc.constantFrom(...UNITS),
        fc.integer({ min: 1, max: 1_000 }),
        (close, euros, dollars, metal, unit, fineness) => {
          const rate = divideExact(fraction(euros), fraction(dollars));
          const written = measuredPrice(close, rate, measureOf(metal, unit, purityShare({ fineness })));
          const above = [close, euros, gramsPer(unit).toFixed(), String(fineness)].map(rational);
          const below = [dollars, gramsPer(metalUnit(metal)).toFixed(), "1000"].map(rational);
          const numerator = [...above.map(([units]) => units), ...below.map(([, scale]) => scale)];
          const denominator = [...above.map(([, scale]) => scale), ...below.map(([units]) => units)];
          const product = (factors: readonly bigint[]): bigint => factors.reduce((all, each) => all * each, 1n);
          expect(written).toBe(shownQuotient(product(numerator), product(denominator)));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ["troy_ounce", {}, "4003.20"],
    ["gram", {}, "128.71"],
    ["gram", { karat: 22 }, "117.98"],
    ["gram", { fineness: 750 }, "96.5294"],
    ["kg", { fineness: 995 }, "128062.34"],
    ["tola", { karat: 24 }, "1501.20"],
  ])("of gold per %s at %j is %s", (unit, purity, price) => {
    expect(measuredPrice("4003.20", "1", measureOf("XAU", unit, purityShare(purity)))).toBe(price);
  });

  test("of copper, which is priced per pound, counts from there", () => {
    expect(measuredPrice("5.1250", "1", measureOf("HG", "pound", purityShare({})))).toBe("5.1250");
    expect(measuredPrice("5.1250", "1", measureOf("HG", "kg", purityShare({})))).toBe("11.2987");
  });
});

test("a fineness is written in parts of 1000, with three decimals where karats have no whole one", () => {
  const written = [{}, { fineness: 1 }, { fineness: 999 }, { karat: 24 }, { karat: 22 }, { karat: 18 }, { karat: 10 }];
  expect(written.map((purity) => presentFineness(purityShare(purity)))).toEqual([
    ...["1000", "1", "999", "1000"],
    ...["916.667", "750", "416.667"],
  ]);
});
