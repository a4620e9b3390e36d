import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImportError } from "../import-error.ts";
import { type DecimalMark, figureFault, figureReader, readScale, scaler } from "./figures.ts";

describe("a scale", () => {
  it.each([
    ["0.01", "314550", "3145.50"],
    ["100", "31.4550", "3145.50"],
    ["1.0", "3145.5", "3145.5"],
    ["0.00045359237", "9000", "4.08233133"],
    ["31.1034768", "100", "3110.34768"],
    ["0.5", "1.25", "0.625"],
  ])("of %s makes %s into %s", (scale, text, expected) => {
    expect(scaler(readScale(scale))(text)).toBe(expected);
  });

  it.each(["0", "-1", "0.00", "1e3", "", " 1", "1,5", "1".repeat(21)])("cannot be %j", (text) => {
    expect(() => readScale(text)).toThrow(ImportError);
  });

  it("multiplies exactly", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 1, max: 999_999 }), (a, b) => {
        const product = scaler(`0.${String(b).padStart(6, "0")}`)(`${a}`);
        const [whole = "", part = ""] = product.split(".");
        expect(BigInt(whole + part.padEnd(6, "0"))).toBe(BigInt(a) * BigInt(b));
      }),
    );
  });
});

describe("a figure", () => {
  it.each<[text: string, mark: DecimalMark | undefined, plain: string]>([
    ["1552.20", undefined, "1552.20"],
    ["1,552.20", undefined, "1552.20"],
    ["1,234,567", undefined, "1234567"],
    ["1 234 567.5", undefined, "1234567.5"],
    ["1'552.20", undefined, "1552.20"],
    ["1,552", "point", "1552"],
    ["1,552", "comma", "1.552"],
    ["1.552,20", "comma", "1552.20"],
    ["1552,2", "comma", "1552.2"],
    ["1.552", "comma", "1552"],
    ["1\u00a0552,20", "comma", "1552.20"],
    ["-1,5", "comma", "-1.5"],
  ])("%j with the mark %s is %s", (text, mark, plain) => {
    expect(figureReader(mark)(text)).toBe(plain);
  });

  it.each<[text: string, mark: DecimalMark | undefined, fault: string]>([
    ["1,552", undefined, "may be thousands or decimals; pass --decimal point"],
    ["1.552,20", undefined, "is not a plain decimal; pass --decimal comma if the comma separates decimals"],
    ["3002,5", undefined, "is not a plain decimal; pass --decimal comma"],
    ["1552.20", "comma", "is not a decimal with a comma"],
    ["1,2.5", undefined, "is not a plain decimal"],
    ["1,552 200.5", undefined, "is not a plain decimal"],
    ["1e400", undefined, "is not a plain decimal"],
    ["1.51%", undefined, "is not a plain decimal"],
    ["", "comma", "is not a decimal with a comma"],
  ])("%j with the mark %s is not read, which says how to", (text, mark, fault) => {
    expect(figureReader(mark)(text)).toBeNull();
    expect(figureFault(text, mark)).toMatch(fault);
  });
});
