import { CURRENCIES } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal, dec, formatPrice } from "./decimal.ts";
import { MINOR_UNITS, presentBeside, presentChange, presentCrossed, presentExact, presentPrice, presentRate } from "./present.ts";

const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 9 }))
  .map(([units, scale]) => new Decimal(units.toString()).div(new Decimal(10).pow(scale)).toFixed());

describe("presentPrice", () => {
  it.each([
    ["4003.2", "4003.20"],
    ["4003.205", "4003.21"],
    ["100", "100.00"],
    ["99.999999", "100.0000"],
    ["51.25", "51.2500"],
    ["1", "1.0000"],
    ["0.9999999", "1.000000"],
    ["0.5", "0.500000"],
    ["0.0000004", "0.000000"],
  ])("writes %s as %s: the decimals are those of the unrounded figure", (price, written) => {
    expect(presentPrice(price)).toBe(written);
  });

  it("agrees with decimal.js on any figure", () => {
    fc.assert(
      fc.property(positive, (price) => {
        expect(presentPrice(price)).toBe(formatPrice(dec(price)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("presentCrossed", () => {
  it("agrees with decimal.js on any price and rate", () => {
    fc.assert(
      fc.property(positive, positive, positive, (usd, units, perUsd) => {
        const rate = { numerator: BigInt(dec(units).mul(1e9).toFixed()), denominator: BigInt(dec(perUsd).mul(1e9).toFixed()) };
        expect(presentCrossed(usd, rate)).toBe(formatPrice(dec(usd).mul(units).div(perUsd)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("presentBeside", () => {
  it("has the price's decimals, not its own", () => {
    expect(presentBeside("0.2", "4003.20")).toBe("0.20");
    expect(presentBeside("0.205", "4003.20")).toBe("0.21");
    expect(presentBeside("0.2", "51.25")).toBe("0.2000");
    expect(presentBeside("120", "99")).toBe("120.0000");
  });
});

describe("presentChange", () => {
  it("is the difference with the price's decimals, and in percent with two", () => {
    expect(presentChange("4003.20", "3990.90")).toEqual({ ch: "12.30", chp: "0.31" });
    expect(presentChange("51.25", "52")).toEqual({ ch: "-0.7500", chp: "-1.44" });
  });

  it("rounds away from zero on a tie, and writes no change without a sign", () => {
    expect(presentChange("4000.005", "4000")).toEqual({ ch: "0.01", chp: "0.00" });
    expect(presentChange("3999.995", "4000")).toEqual({ ch: "-0.01", chp: "0.00" });
    expect(presentChange("3999.999", "4000").ch).toBe("0.00");
    expect(presentChange("0.99995", "1").chp).toBe("-0.01");
  });

  it("refuses a close of zero", () => {
    expect(() => presentChange("1", "0")).toThrow(RangeError);
  });
});

describe("presentRate", () => {
  it("has at most 18 significant digits and no trailing zeros", () => {
    expect(presentRate("1.0000")).toBe("1");
    expect(presentRate({ numerator: 1n, denominator: 3n })).toBe("0.333333333333333333");
    expect(presentRate({ numerator: 200_000n, denominator: 3n })).toBe("66666.6666666666667");
    expect(presentRate("0.00000000000000000000000000012")).toBe("0.00000000000000000000000000012");
    expect(presentRate("123456789012345678901")).toBe("123456789012345679000");
  });
});

describe("presentExact", () => {
  it("is plain notation at any size", () => {
    expect(presentExact(dec("1e-60"))).toBe(`0.${"0".repeat(59)}1`);
    expect(presentExact(dec("1e50"))).toBe(`1${"0".repeat(50)}`);
    expect(presentExact(dec("-0"))).toBe("0");
    expect(presentExact(dec("4003.20"))).toBe("4003.2");
  });
});

describe("minor units", () => {
  it("are zero for yen, won and krona, and two for the others", () => {
    expect(CURRENCIES.filter((currency) => MINOR_UNITS[currency] === 0)).toEqual(["ISK", "JPY", "KRW"]);
    expect(CURRENCIES.filter((currency) => MINOR_UNITS[currency] === 2)).toHaveLength(28);
  });
});
