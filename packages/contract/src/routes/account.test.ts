import { expect, test } from "vitest";
import { label } from "./account.ts";

test.each(["ci", "Schlüssel 金 👍", "⚠️ prod", "नया", "שלום", "مفتاح", "e\u0301", "a\u00A0b", "x".repeat(64)])(
  "%j is a label",
  (text) => {
    expect(label.parse(text)).toBe(text);
  },
);

test("spaces and marks around a label are removed", () => {
  expect(label.parse("\uFEFF ci\n")).toBe("ci");
});

test.each([
  ["control characters", "a\tb", "a\u0000b", "a\nb", "a\u007Fb", "a\u009Bb", "a\u2028b", "a\u2029b"],
  ["marks of direction", "a\u061Cb", "a\u200Eb", "a\u200Fb", "a\u202Eb", "a\u202Ab", "a\u2066b", "a\u2069b"],
  ["characters without width", "a\u200Bb", "a\u200Cb", "a\u200Db", "a\u2060b", "a\uFEFFb", "a\u00ADb", "a\u{E0041}b"],
  ["fillers and selectors", "a\u3164b", "a\u115Fb", "a\u034Fb", "a\uFE0F", "a\uFE00", "a\u180Eb"],
  ["nothing to see", "", "  ", "\u200B"],
  ["more than 64 characters", "x".repeat(65)],
])("%s are refused", (_, ...texts) => {
  for (const text of texts) expect(label.safeParse(text).success, JSON.stringify(text)).toBe(false);
});
