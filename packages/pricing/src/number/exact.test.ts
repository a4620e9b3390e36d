import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal, dec, divideExact, fraction, multiplyExact, toDecimal, toFixedText, toSignificantText } from "./exact.ts";

const positive = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.integer({ min: 0, max: 9 })).map(([units, scale]) => {
  return new Decimal(units.toString()).div(new Decimal(10).pow(scale)).toFixed();
});

describe("fraction", () => {
  it("reads text, Decimals and fractions as the same value", () => {
    expect(fraction("4003.20")).toEqual({ numerator: 400320n, denominator: 100n });
    expect(fraction(dec("0.0000001"))).toEqual({ numerator: 1n, denominator: 10_000_000n });
    expect(fraction({ numerator: 1n, denominator: 3n })).toEqual({ numerator: 1n, denominator: 3n });
  });

  it("refuses a figure that is not finite", () => {
    expect(() => fraction("1e3")).toThrow(RangeError);
    expect(() => fraction(dec(Number.POSITIVE_INFINITY))).toThrow(RangeError);
    expect(() => fraction(dec(Number.NaN))).toThrow(RangeError);
  });
});

describe("divideExact", () => {
  it("keeps the denominator above zero", () => {
    expect(divideExact(fraction("1"), fraction("-3"))).toEqual({ numerator: -1n, denominator: 3n });
  });

  it("refuses to divide by zero", () => {
    expect(() => divideExact(fraction("1"), fraction("0.00"))).toThrow(RangeError);
  });
});

describe("toFixedText", () => {
  it("rounds half up once: a tie stays a tie through a division that does not end", () => {
    // 135.76605 / 0.97 is exactly 139.965; via 1 / 0.97 at 40 digits it falls short of the tie.
    expect(toFixedText(divideExact(fraction("135.76605"), fraction("0.97")), 2)).toBe("139.97");
    expect(dec(1).div("0.97").mul("135.76605").toFixed(2)).toBe("139.96");
  });

  it("agrees with decimal.js on quotients", () => {
    fc.assert(
      fc.property(positive, positive, fc.integer({ min: 0, max: 6 }), (a, b, decimals) => {
        expect(toFixedText(divideExact(fraction(a), fraction(b)), decimals)).toBe(dec(a).div(b).toFixed(decimals));
      }),
      { numRuns: 2000 },
    );
  });

  it("writes a zero without a sign", () => {
    expect(toFixedText(fraction("-0.001"), 2)).toBe("0.00");
  });
});

describe("toSignificantText", () => {
  it("agrees with decimal.js at 18 digits, large and small", () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const oracle = dec(a).div(b).toSignificantDigits(18).toFixed();
        expect(toSignificantText(divideExact(fraction(a), fraction(b)), 18)).toBe(oracle);
      }),
      { numRuns: 2000 },
    );
  });

  it("carries into one digit more", () => {
    expect(toSignificantText(fraction("999.95"), 4)).toBe("1000");
    expect(toSignificantText(fraction("0.099995"), 4)).toBe("0.1");
  });

  it("writes plain notation whatever the size", () => {
    expect(toSignificantText(fraction("0"), 18)).toBe("0");
    expect(toSignificantText(fraction("0.00000000000000000000123"), 2)).toBe("0.0000000000000000000012");
    expect(toSignificantText(fraction("123456789"), 3)).toBe("123000000");
    expect(toSignificantText(fraction("-2.50"), 18)).toBe("-2.5");
  });
});

describe("toDecimal", () => {
  it("rounds to 40 digits once", () => {
    const third = toDecimal({ numerator: 1n, denominator: 3n });
    expect(third.toFixed()).toBe(`0.${"3".repeat(40)}`);
    expect(toDecimal(multiplyExact(fraction("1.5"), fraction("2"))).toFixed()).toBe("3");
  });
});
