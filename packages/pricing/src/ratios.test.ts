/** Ratios of closes. */
import { RATIO_PAIRS } from "@assay/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dec } from "./decimal.ts";
import { RATIO_LEGS, ratioOf, readRatioPair } from "./ratios.ts";

const close = fc
  .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => dec(units).div(dec(10).pow(scale)).toFixed());

test("a ratio has four decimals, rounded half up from the exact quotient", () => {
  expect(ratioOf("4003.20", "48.00")).toBe("83.4000");
  expect(ratioOf("371.20", "4003.20")).toBe("0.0927");
  expect(ratioOf("1", "3")).toBe("0.3333");
  expect(ratioOf("2", "3")).toBe("0.6667");
  // A tie that is none in binary: 0.00005 exactly, and a hair below it.
  expect(ratioOf("0.00005", "1")).toBe("0.0001");
  expect(ratioOf("0.0000499999999999999999", "1")).toBe("0.0000");
  expect(ratioOf("1.00015", "1")).toBe("1.0002");
});

test("a ratio is within half of its last decimal of the quotient, and rises with its numerator", () => {
  fc.assert(
    fc.property(close, close, close, (a, b, denominator) => {
      const exact = dec(a).div(dec(denominator));
      expect(dec(ratioOf(a, denominator)).minus(exact).abs().lte("0.00005")).toBe(true);
      const [low, high] = dec(a).lte(dec(b)) ? [a, b] : [b, a];
      expect(dec(ratioOf(low, denominator)).lte(dec(ratioOf(high, denominator)))).toBe(true);
    }),
  );
});

test("a ratio times its inverse is one, as far as four decimals reach", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 1_000_000 }), fc.integer({ min: 100, max: 1_000_000 }), (a, b) => {
      const [ratio, inverse] = [dec(ratioOf(`${a}`, `${b}`)), dec(ratioOf(`${b}`, `${a}`))];
      const bound = ratio.plus(inverse).plus(1).times("0.00005");
      expect(ratio.times(inverse).minus(1).abs().lte(bound)).toBe(true);
    }),
  );
});

test("every pair has two different legs, and is read in any case", () => {
  for (const pair of RATIO_PAIRS) {
    expect(RATIO_LEGS[pair].numerator).not.toBe(RATIO_LEGS[pair].denominator);
    expect(readRatioPair(pair.toUpperCase())).toBe(pair);
  }
  expect(readRatioPair("silver-gold")).toBeNull();
});
