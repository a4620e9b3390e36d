/** Ratios of closes. */
import { RATIO_PAIRS } from "@assay/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { dec } from "../number/exact.ts";
import { presentPrice } from "../number/present.ts";
import { shown } from "../testing/shown.ts";
import { presentRatio, ratioLegs, ratioOf, readRatioPair } from "./ratios.ts";

const close = fc
  .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 6 }))
  .map(([units, scale]) => dec(units).div(dec(10).pow(scale)).toFixed());

test("a ratio has four decimals, rounded half up from the exact quotient", () => {
  expect(ratioOf("4003.20", "48.00")).toBe("83.4000");
  expect(ratioOf("371.20", "4003.20")).toBe("0.0927");
  expect(ratioOf("1", "3")).toBe("0.3333");
  expect(ratioOf("2", "3")).toBe("0.6667");
  // A tie in decimal but not in binary: exactly 0.00015, and slightly below it.
  expect(ratioOf("0.00015", "1")).toBe("0.0002");
  expect(ratioOf("0.0001499999999999999999", "1")).toBe("0.0001");
  expect(ratioOf("0.00005", "1")).toBe("0.00005000");
  expect(ratioOf("1.00015", "1")).toBe("1.0002");
});

test("a ratio of a cheap metal and a dear one never reads zero", () => {
  expect(ratioOf("0.052100", "3917.90")).toBe("0.00001330");
  expect(presentRatio("0.0521", "3917.90")).toMatchObject({ ratio: "0.00001330" });
  expect(ratioOf("0", "3917.90")).toBe("0.0000");
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

test("closes divide to the ratio beside them, in the digits of prices where those are enough", () => {
  expect(presentRatio("4003.20", "48.00")).toEqual({ ratio: "83.4000", numerator: "4003.20", denominator: "48.0000" });
  // 4003.21 / 48 = 83.40020…, where the unrounded closes give 83.40010…
  expect(presentRatio("4003.205", "48")).toEqual({ ratio: "83.4001", numerator: "4003.205", denominator: "48.00000" });
  // The fund over gold: a ratio with few digits needs no extra decimals of its closes.
  expect(presentRatio("371.204999", "4003.20")).toEqual({ ratio: "0.0927", numerator: "371.20", denominator: "4003.20" });
  expect(presentRatio("0.00005049", "1.0099")).toEqual({ ratio: "0.00005000", numerator: "0.0000505", denominator: "1.00990" });
});

test("closes of any size divide to the ratio beside them, to its last digit", () => {
  const exactClose = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.integer({ min: 0, max: 10 }))
    .map(([units, scale]) => dec(units.toString()).div(dec(10).pow(scale)).toFixed());
  const around = (level: number): fc.Arbitrary<string> =>
    fc
      .tuple(fc.integer({ min: 500_000, max: 2_000_000 }), fc.integer({ min: 2, max: 9 }))
      .chain(([parts, scale]) =>
        fc.nat({ max: 9_999 }).map((tail) => dec(level).mul(parts).div(1_000_000).plus(dec(tail).div(10_000_000)).toFixed(scale)),
      );
  // Gold over silver, the fund over gold, and closes of any magnitude.
  const closes = fc.oneof(
    fc.tuple(around(4_000), around(48)),
    fc.tuple(around(370), around(4_000)),
    fc.tuple(around(1_000), around(1_600)),
    fc.tuple(exactClose, exactClose),
  );
  fc.assert(
    fc.property(closes, ([above, below]) => {
      const { ratio, numerator, denominator } = presentRatio(above, below);
      expect(ratio).toBe(ratioOf(above, below));
      expect(shown(dec(numerator).div(dec(denominator)), 4)).toBe(ratio);
      // Never further from the close than a displayed price is.
      expect(
        dec(numerator)
          .minus(above)
          .abs()
          .lte(dec(presentPrice(above)).minus(above).abs()),
      ).toBe(true);
      expect(
        dec(denominator)
          .minus(below)
          .abs()
          .lte(dec(presentPrice(below)).minus(below).abs()),
      ).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("every pair has two different legs, and is read in any case", () => {
  for (const pair of RATIO_PAIRS) {
    const { numerator, denominator } = ratioLegs(pair);
    expect(numerator).not.toBe(denominator);
    expect(readRatioPair(pair.toUpperCase())).toBe(pair);
  }
  expect(readRatioPair("silver-gold")).toBeNull();
});
