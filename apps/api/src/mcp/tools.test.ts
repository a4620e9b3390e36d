/** Lists in the answers of tools. */
import { describe, expect, test } from "vitest";
import { MAX_ROWS, withShortLimit, withShortLists } from "./tools.ts";

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("an answer", () => {
  test("with short lists only is the same object", () => {
    const output = { quotes: rows(MAX_ROWS), errors: [], name: "x" };
    expect(withShortLists(output, {})).toBe(output);
    expect(withShortLists(output, { limit: MAX_ROWS })).toBe(output);
  });

  test("with a longer list has its first rows, and says how many there are", () => {
    expect(withShortLists({ name: "x", quotes: rows(130), errors: rows(101) }, {})).toEqual({
      name: "x",
      quotes: rows(MAX_ROWS),
      errors: rows(MAX_ROWS),
      truncated: "quotes has the first 100 of 130 rows. errors has the first 100 of 101 rows.",
    });
  });

  test("to a reduced limit says so when there may be more", () => {
    expect(withShortLists({ bars: rows(MAX_ROWS) }, { limit: 500 })).toHaveProperty(
      "truncated",
      expect.stringContaining("at most 500"),
    );
    const whole = { bars: rows(99) };
    expect(withShortLists(whole, { limit: 500 })).toBe(whole);
  });
});

test("a limit is reduced to the most rows allowed; other values stay, right or wrong", () => {
  expect(withShortLimit({ symbol: "XAU", limit: 10_000 })).toEqual({ symbol: "XAU", limit: MAX_ROWS });
  for (const limit of [1, MAX_ROWS, 0, -1, "500", null]) expect(withShortLimit({ limit })).toEqual({ limit });
});
