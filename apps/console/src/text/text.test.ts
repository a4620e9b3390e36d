import { expect, it, onTestFinished } from "vitest";
import { CODES, chosen, directionOf, firstOf, listText, localeOf, speak } from "./text.ts";

it("speaks the first language of the reader's that there is, and English to the others", () => {
  expect(firstOf(["de-CH", "en"])).toBe("de");
  expect(firstOf(["fr-FR", "ar-EG", "en"])).toBe("ar");
  expect(firstOf(["zh-Hant-TW"])).toBe("zh");
  expect(firstOf(["fr", "pt-BR"])).toBe("en");
  expect(firstOf([])).toBe("en");
});

it("writes figures as the reader's variety of the language does", () => {
  expect(localeOf("de", ["en-US", "de-CH"])).toBe("de-CH");
  expect(localeOf("ar", ["en-US"])).toBe("ar");
});

it("runs from right to left in Arabic alone", () => {
  expect(CODES.filter((code) => directionOf(code) === "rtl")).toEqual(["ar"]);
});

it("lists names as the language does, set apart where its text runs the other way", async () => {
  onTestFinished(async () => {
    chosen.value = "en";
    await speak();
  });
  expect(listText(["Au", "Ag"])).toBe("Au, Ag");
  chosen.value = "ar";
  await speak();
  expect(listText(["Au", "Ag"])).toBe("\u2068Au\u2069، \u2068Ag\u2069");
});
