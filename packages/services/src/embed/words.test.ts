import { describe, expect, it } from "vitest";
import { WORDS, writtenCount, writtenPrice } from "./words.ts";

describe("a price in a language", () => {
  it("keeps every published digit, far beyond those of a float", () => {
    const price = "12345678901234567890.1234";
    expect(writtenPrice(price, "USD", "en")).toBe("$12,345,678,901,234,567,890.1234");
    expect(writtenPrice(price, "USD", "de").replace(/\s/g, " ")).toBe("12.345.678.901.234.567.890,1234 $");
    expect(writtenPrice("3459.20", "EUR", "en")).toBe("€3,459.20");
  });

  it("has the digits, the separators and the sign of the language", () => {
    expect(writtenPrice("344599.10", "INR", "hi")).toBe("₹3,44,599.10");
    expect(writtenPrice("14750.5", "SAR", "ar")).toMatch(/١٤٬٧٥٠٫٥/);
    expect(writtenPrice("5120.75", "TRY", "tr")).toBe("₺5.120,75");
    expect(writtenPrice("912.40", "CNY", "zh")).toBe("¥912.40");
    expect(writtenCount(15, "ar")).toBe("١٥");
  });

  it("has words for the metals, units and reasons that every other language has", () => {
    const { de, ...others } = WORDS;
    for (const [language, words] of Object.entries(others)) {
      if (language === "en") continue;
      expect([language, Object.keys(words.metals)]).toEqual([language, Object.keys(de.metals)]);
      expect([language, Object.keys(words.units)]).toEqual([language, Object.keys(de.units)]);
    }
  });
});
