import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "./exact.ts";
import { addDecimalText, compareDecimalText, divideHalfUp, isDecimalText, readScaled, shiftPoint, writeUnits } from "./scaled.ts";

/** Decimal text of up to 12 digits before and 9 after the point, with leading and trailing zeros, as publishers write it. */
const decimalText = fc
  .tuple(fc.boolean(), fc.stringMatching(/^[0-9]{1,12}$/), fc.stringMatching(/^[0-9]{0,9}$/))
  .map(([negative, whole, decimals]) => `${negative ? "-" : ""}${whole}${decimals && `.${decimals}`}`);

describe("decimal text", () => {
  it.each(["0", "-0.5", "4003.20", "004", "0.000001", "123456789012345678901234567890.5"])("accepts %s", (text) => {
    expect(isDecimalText(text)).toBe(true);
  });

  it.each(["", ".", ".5", "5.", "1e3", "+1", " 1", "1 ", "0x10", "1,000", "NaN", "Infinity", "--1", "1.2.3", "٣", "1\n"])(
    "refuses %j, and reading it throws",
    (text) => {
      expect(isDecimalText(text)).toBe(false);
      expect(() => readScaled(text)).toThrow(RangeError);
    },
  );
});

describe("readScaled and writeUnits", () => {
  it("keep every digit, trailing zeros included", () => {
    expect(readScaled("4003.20")).toEqual({ units: 400320n, scale: 2 });
    expect(readScaled("-0.05")).toEqual({ units: -5n, scale: 2 });
    expect(writeUnits(400320n, 2)).toBe("4003.20");
    expect(writeUnits(-5n, 2)).toBe("-0.05");
    expect(writeUnits(5n, 0)).toBe("5");
  });

  it("drop trailing zeros down to the given decimals", () => {
    expect(writeUnits(40032000n, 4, 2)).toBe("4003.20");
    expect(writeUnits(40032100n, 4, 2)).toBe("4003.21");
    expect(writeUnits(40032500n, 4, 0)).toBe("4003.25");
    expect(writeUnits(40030000n, 4, 0)).toBe("4003");
    expect(writeUnits(0n, 4, 0)).toBe("0");
  });

  it("give back the value of any text", () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const { units, scale } = readScaled(text);
        expect(new Decimal(writeUnits(units, scale)).eq(text)).toBe(true);
      }),
    );
  });
});

describe("compareDecimalText", () => {
  it("agrees with decimal.js on any two texts", () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(compareDecimalText(a, b)).toBe(new Decimal(a).cmp(b));
      }),
      { numRuns: 3000 },
    );
  });

  it("agrees with decimal.js on texts that differ in one digit only", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9][0-9]{3}\.[0-9]{2}$/), fc.integer({ min: 0, max: 6 }), digit, (a, at, other) => {
        const b = a[at] === "." ? a : `${a.slice(0, at)}${other}${a.slice(at + 1)}`;
        expect(compareDecimalText(a, b)).toBe(new Decimal(a).cmp(b));
      }),
    );
  });

  it("calls equal what is equal but written differently", () => {
    expect(compareDecimalText("4003.2", "4003.200")).toBe(0);
    expect(compareDecimalText("0", "-0.00")).toBe(0);
    expect(compareDecimalText("07", "7")).toBe(0);
  });

  it("orders figures that binary floating point cannot tell apart", () => {
    expect(compareDecimalText("9007199254740993", "9007199254740992")).toBe(1);
    expect(compareDecimalText("0.30000000000000000001", "0.3")).toBe(1);
  });
});

describe("addDecimalText", () => {
  it("agrees with decimal.js on any two texts", () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(new Decimal(addDecimalText(a, b)).eq(new Decimal(a).plus(b))).toBe(true);
      }),
    );
  });

  it("adds tenths exactly", () => {
    expect(addDecimalText("0.1", "0.2")).toBe("0.3");
  });
});

describe("divideHalfUp", () => {
  it("rounds ties away from zero, on both sides of it", () => {
    expect([5n, -5n, 4n, -4n, 15n].map((figure) => divideHalfUp(figure, 10n))).toEqual([1n, -1n, 0n, 0n, 2n]);
  });
});

describe("shiftPoint", () => {
  it("moves the point without losing a digit", () => {
    expect(shiftPoint("15130", 3)).toBe("15130000");
    expect(shiftPoint("148.80", 3)).toBe("148800");
    expect(shiftPoint("1.2345", 3)).toBe("1234.5");
    expect(shiftPoint("1234.50", -2)).toBe("12.3450");
    expect(shiftPoint("0.05", 1)).toBe("0.5");
    expect(() => shiftPoint("1,000", 3)).toThrow(RangeError);
  });

  it("is what multiplying by the power of ten gives", () => {
    fc.assert(
      fc.property(decimalText, fc.integer({ min: -6, max: 6 }), (text, places) => {
        expect(new Decimal(shiftPoint(text, places)).eq(new Decimal(text).mul(new Decimal(10).pow(places)))).toBe(true);
      }),
    );
  });
});
