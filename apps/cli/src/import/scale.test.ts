import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ImportError } from "./import-error.ts";
import { readScale, scaler } from "./scale.ts";

describe("a scale", () => {
  it.each([
    ["0.01", "314550", "3145.50"],
    ["100", "31.4550", "3145.50"],
    ["1.0", "3145.5", "3145.5"],
    ["0.00045359237", "9000", "4.08233133"],
    ["31.1034768", "100", "3110.34768"],
    ["0.5", "1.25", "0.625"],
    ["0.01", "1e3", "1e3"],
    ["0.3", "", ""],
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
