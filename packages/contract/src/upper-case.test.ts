/** Names in any case. */
import { expect, test } from "vitest";
import { upperCase } from "./upper-case.ts";

test("capitalises the letters a to z", () => {
  expect(upperCase("xau-Usd-spot/1")).toBe("XAU-USD-SPOT/1");
  expect(upperCase("")).toBe("");
});

test.each(["ın", "ſilver", "ﬁ", "ß", "eur\u0301"])("leaves %s alone, which would become another name", (text) => {
  expect(upperCase(text)).toBe(text);
});
