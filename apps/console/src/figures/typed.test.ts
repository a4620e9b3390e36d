import { describe, expect, it } from "vitest";
import { separatorsOf } from "./digits.ts";
import { readTyped } from "./typed.ts";

const amountOf = (text: string, locale: string) => {
  const typed = readTyped(text, separatorsOf(locale));
  return "amount" in typed ? typed.amount : typed.fault;
};

describe("an amount as typed", () => {
  it("is read with the decimal sign of the language, every digit kept", () => {
    expect(amountOf("4.250", "en")).toBe("4.250");
    expect(amountOf("4,250", "de")).toBe("4.250");
    expect(amountOf(".5", "en")).toBe("0.5");
    expect(amountOf("0007", "en")).toBe("7");
    expect(amountOf("4,", "de")).toBe("4");
    expect(amountOf("0,30000000", "de")).toBe("0.30000000");
  });

  it("is read with another language's sign when it can mean nothing else", () => {
    expect(amountOf("4.25", "de")).toBe("4.25");
    expect(amountOf("4,25", "en")).toBe("4.25");
    expect(amountOf("0.125", "de")).toBe("0.125");
    expect(amountOf("1234,567", "en")).toBe("1234.567");
  });

  it("is refused when its sign may group or part decimals", () => {
    expect(amountOf("1.500", "de")).toBe("ambiguous");
    expect(amountOf("1,500", "en")).toBe("ambiguous");
    expect(amountOf("12,500", "hi-IN")).toBe("ambiguous");
  });

  it("is read in groups of a thousand and of India's, of spaces and of apostrophes", () => {
    expect(amountOf("1.234.567,89", "de")).toBe("1234567.89");
    expect(amountOf("1,234.5", "en")).toBe("1234.5");
    expect(amountOf("12,34,567.5", "hi-IN")).toBe("1234567.5");
    expect(amountOf("1,00,000", "hi-IN")).toBe("100000");
    expect(amountOf("1\u202f234,5", "fr")).toBe("1234.5");
    expect(amountOf("1’234.5", "de-CH")).toBe("1234.5");
  });

  it("is read in the digits of Arabic, Persian, Devanagari and full width", () => {
    expect(amountOf("٤٫٢٥", "ar-EG")).toBe("4.25");
    expect(amountOf("١٬٢٣٤٫٥", "ar-EG")).toBe("1234.5");
    expect(amountOf("\u200f٤٫٢٥٠", "ar-EG")).toBe("4.250");
    expect(amountOf("4.250", "ar-EG")).toBe("4.250");
    expect(amountOf("4,250", "ar-EG")).toBe("ambiguous");
    expect(amountOf("۱۲٫۵", "fa")).toBe("12.5");
    expect(amountOf("१२.५", "hi")).toBe("12.5");
    expect(amountOf("１２．５".replace("．", "."), "ja")).toBe("12.5");
  });

  it("is refused where it is no figure", () => {
    for (const text of ["", "  "]) expect(amountOf(text, "en")).toBe("empty");
    for (const text of ["abc", "1e3", "-5", "+5", "1.2.3", "1,2,3", "4..5", "12,34.567,8", ".", "0x10", "١٢a", "1,5,000.2"])
      expect(amountOf(text, "en"), text).toBe("not_a_number");
    expect(amountOf("1234567890123456", "en")).toBe("too_long");
    expect(amountOf("1.0123456789", "en")).toBe("too_many_decimals");
  });
});
