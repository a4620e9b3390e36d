/** Printed figures in several formats and scripts, including ambiguous ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printedFigure, printedPrice } from "./printed-figure.ts";

describe("a printed figure", () => {
  it.each([
    ["comma", "7,015", "7015"],
    ["comma", "15,640.10", "15640.10"],
    ["comma", "1,234,567.5", "1234567.5"],
    ["comma", "121310", "121310"],
    ["comma", "540.25", "540.25"],
    ["comma", "0.500", "0.500"],
    ["comma", "1234.567", "1234.567"],
    ["comma", "1,234.567", "1234.567"],
    ["point", "2.650.000", "2650000"],
    ["point", "2.650.000,50", "2650000.50"],
    ["point", "540,25", "540.25"],
    ["comma", "٧٬٠١٥", "7015"],
    ["comma", "٧٬٠١٥٫٥٠", "7015.50"],
    ["comma", "٧,٠١٥", "7015"],
    ["comma", "۵۰۲٫۹", "502.9"],
    ["comma", "१२,३४५", "12345"],
    ["comma", "٧٫٠١٥", "7.015"],
  ] as const)("with a %s between thousands reads %s as %s", (grouping, text, figure) => {
    expect(printedFigure(text, grouping)).toBe(figure);
  });

  it.each([
    ["comma", "7.015"],
    ["point", "7,015"],
    ["comma", "2.650.000"],
    ["point", "2,650,000"],
    ["comma", "15.640,10"],
    ["comma", "1,21,310"],
    ["comma", "12,34"],
    ["comma", "1,2345"],
    ["comma", "1234,567"],
    ["comma", "1,234,56"],
    ["comma", "1,234٬567"],
    ["comma", "7،015"],
    ["comma", "7 015"],
    ["comma", "7٠15"],
    ["comma", "7,015 "],
    ["comma", "+7,015"],
    ["comma", "-7,015"],
    ["comma", "7,015円"],
    ["comma", "0"],
    ["comma", "0.00"],
    ["comma", "007"],
    ["comma", "1e5"],
    ["comma", ".5"],
    ["comma", "5."],
    ["comma", ""],
    ["comma", "๗"],
    ["comma", "7๗15"],
    ["comma", "๗715"],
    ["comma", "540.5²"],
    ["comma", "540.5½"],
    ["comma", "540.5\u{1d7d8}"],
  ] as const)("with a %s between thousands refuses %j", (grouping, text) => {
    expect(printedFigure(text, grouping)).toBeNull();
  });

  it("is the same whatever script and style a figure is printed in", () => {
    const manners = [
      ["en-US", "comma"],
      ["id-ID", "point"],
      ["de-DE", "point"],
      ["ar-EG-u-nu-arab", "comma"],
      ["hi-IN-u-nu-deva", "comma"],
    ] as const;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom(...manners), (cents, [locale, grouping]) => {
        const printed = (cents / 100).toLocaleString(locale, { minimumFractionDigits: 2 });
        expect(printedFigure(printed, grouping)).toBe((cents / 100).toFixed(2));
      }),
    );
  });
});

describe("a printed price", () => {
  it("is identified by the currency it is printed with", () => {
    expect(printedPrice("22,198 円", "price", { grouping: "comma", after: "円" })).toBe("22198");
    expect(printedPrice("AED476.25", "price", { grouping: "comma", before: "AED" })).toBe("476.25");
  });

  it.each(["22,198", "22,198 ドル", "円", "", "22,198 円 23,000 円"])("is not taken from %j", (text) => {
    expect(() => printedPrice(text, "price of gold", { grouping: "comma", after: "円" })).toThrow(
      "unexpected price of gold: must be of the form 1,234.50 円",
    );
  });
});
