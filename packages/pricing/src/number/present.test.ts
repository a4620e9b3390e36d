import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceDecimals, shown } from "../testing/shown.ts";
import { Decimal, dec } from "./exact.ts";
import {
  formatPrice,
  minorUnits,
  presentBeside,
  presentChange,
  presentCrossed,
  presentFigure,
  presentPrice,
  presentRate,
} from "./present.ts";

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
    ["0.0000005", "0.0000005000"],
    ["0.0000004", "0.0000004000"],
    ["0", "0.000000"],
  ])("writes %s as %s: the decimals are those of the unrounded figure", (price, written) => {
    expect(presentPrice(price)).toBe(written);
  });

  it("agrees with decimal.js on any figure", () => {
    fc.assert(
      fc.property(positive, (price) => {
        expect(presentPrice(price)).toBe(shown(dec(price), priceDecimals(dec(price))));
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
        const exact = dec(usd).mul(units).div(perUsd);
        expect(presentCrossed(usd, rate)).toBe(shown(exact, priceDecimals(exact)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("presentFigure", () => {
  it.each([
    ["0.00000001503", 6, "0.00000001503"],
    ["0.000128709", 2, "0.0001287"],
    ["0.0001", 2, "0.0001000"],
    ["0.00099999", 2, "0.001000"],
    ["-0.000128759", 2, "-0.0001288"],
    ["0.004999", 2, "0.004999"],
    ["0.005", 2, "0.005000"],
    ["0.4", 0, "0.4000"],
    ["0.5", 0, "0.5000"],
    ["0", 2, "0.00"],
  ])("writes %s with %i decimals as %s", (figure, decimals, written) => {
    expect(presentFigure(figure, decimals)).toBe(written);
  });

  it("never reads zero for a figure that is not, and is otherwise rounded half up to its decimals", () => {
    const figure = fc
      .tuple(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), fc.integer({ min: 0, max: 30 }))
      .map(([units, scale]) => dec(units.toString()).div(dec(10).pow(scale)));
    fc.assert(
      fc.property(figure, fc.integer({ min: 0, max: 6 }), (exact, decimals) => {
        const text = presentFigure(exact, decimals);
        expect(text).toBe(exact.isZero() ? dec(0).toFixed(decimals) : shown(exact, decimals));
        expect(text).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
        expect(dec(text).isZero()).toBe(exact.isZero());
        // To half of the last decimal, or to half of the fourth digit.
        const off = dec(text).minus(exact).abs();
        const half = dec(10).pow(-decimals).div(2);
        expect(off.lte(Decimal.max(0, exact.abs().lt(half) ? exact.abs().div(2_000) : half))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("presentBeside", () => {
  it("has the price's decimals, not its own", () => {
    expect(presentBeside("0.2", "4003.20")).toBe("0.20");
    expect(presentBeside("0.205", "4003.20")).toBe("0.21");
    expect(presentBeside("0.2", "51.25")).toBe("0.2000");
    expect(presentBeside("120", "99")).toBe("120.0000");
    expect(presentBeside("0.00000003", "0.0000001503")).toBe("0.0000000300");
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

describe("formatPrice", () => {
  it("has the decimals of a price, and is zero without a sign below the last of them", () => {
    expect(["4003.205", "51.25", "0.5", "0.0000004", "-0.0000004", "0"].map(formatPrice)).toEqual([
      "4003.21",
      "51.2500",
      "0.500000",
      "0.000000",
      "0.000000",
      "0.000000",
    ]);
  });
});

describe("minor units", () => {
  it("are zero for yen, won and krona, and two for most", () => {
    expect(["ISK", "JPY", "KRW", "USD", "EUR", "INR"].map(minorUnits)).toEqual([0, 0, 0, 2, 2, 2]);
  });
});
