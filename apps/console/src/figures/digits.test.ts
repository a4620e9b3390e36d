import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CODES } from "../text/text.ts";
import { asPercent, type Separators, separate, separatorsOf } from "./digits.ts";

const ENGLISH = separatorsOf("en-US");

describe("separated figures", () => {
  it("keep every digit and add the locale's separators", () => {
    expect(separate("4003.20", ENGLISH)).toBe("4,003.20");
    expect(separate("4003.20", separatorsOf("de-DE"))).toBe("4.003,20");
    expect(separate("333612.50", separatorsOf("en-IN"))).toBe("3,33,612.50");
    expect(separate("4003.20", separatorsOf("fr-FR"))).toBe("4\u202f003,20");
    expect(separate("12345678901234567890.123456789", ENGLISH)).toBe("12,345,678,901,234,567,890.123456789");
  });

  it("are in the digits of the locale", () => {
    expect(separate("4003.20", separatorsOf("ar-EG"))).toBe("٤٬٠٠٣٫٢٠");
    expect(separate("4003.20", separatorsOf("ar"))).toBe("4,003.20");
    expect(separate("-333612.50", separatorsOf("hi-IN-u-nu-deva"))).toBe("−३,३३,६१२.५०");
    expect(separate("4003.20", separatorsOf("tr"))).toBe("4.003,20");
    expect(separatorsOf("ar-EG").percent).toBe("٪");
  });

  it("keep trailing zeros, and signs", () => {
    expect(separate("0.50", ENGLISH)).toBe("0.50");
    expect(separate("-1204.00", ENGLISH)).toBe("−1,204.00");
    expect(separate("+12.40", ENGLISH)).toBe("+12.40");
  });

  it("leave text alone that is not a plain decimal", () => {
    for (const text of ["", "n/a", "1e3", "4,003.20"]) expect(separate(text, ENGLISH)).toBe(text);
  });

  it("show the published figure again once the separators are removed and the digits are mapped back, in every language", () => {
    const figures = fc.tuple(fc.bigInt({ min: 0n }), fc.stringMatching(/^\d{1,12}$/)).map(([whole, rest]) => `${whole}.${rest}`);
    const published = (shown: string, { group, decimal, digits }: Separators): string =>
      [...shown.replaceAll(group, "").replace(decimal, ".")]
        .map((sign) => (sign === "." ? sign : String(digits.indexOf(sign))))
        .join("");
    for (const locale of [...CODES, "ar-EG", "de-CH", "en-IN", "hi-IN-u-nu-deva"]) {
      const separators = separatorsOf(locale);
      fc.assert(fc.property(figures, (figure) => published(separate(figure, separators), separators) === figure));
    }
  });
});

it("moves the point and changes no digit", () => {
  expect(asPercent("0.748413")).toBe("74.8413");
  expect(asPercent(0.5)).toBe("50");
  expect(asPercent(1)).toBe("100");
  expect(asPercent("0.006204")).toBe("0.6204");
  expect(asPercent("0.00")).toBe("0");
  expect(asPercent("-0.0125")).toBe("-1.25");
  expect(asPercent(0.1 + 0.2)).toBe("30.000000000000004");
  expect(asPercent("unknown")).toBe("unknown");
});
