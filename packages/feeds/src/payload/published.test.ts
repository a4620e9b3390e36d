/** The two formats of a dealer's buy and sell prices. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readJson } from "./body.ts";
import { sideNumber, sideText } from "./published.ts";

const number = (json: string) => readJson(`{"side":${json}}`, z.object({ side: sideNumber })).side;

describe("a side as text", () => {
  it.each([
    ["1319.50", "1319.50"],
    [" 438,724 ", "438724"],
    ["1,319.50", "1319.50"],
    ["12,345,678", "12345678"],
    ["-", null],
    ["--", null],
    ["", null],
    [" ", null],
    ["0", null],
    ["0.00", null],
  ])("reads %j as %j", (text, side) => {
    expect(sideText.parse(text)).toBe(side);
  });

  it.each(["4,38,724", "438,72", "1.319,50", "-5", "12e3", "n/a", "Rs 500", "00500", ",500"])("refuses %j", (text) => {
    expect(sideText.safeParse(text).success).toBe(false);
  });
});

describe("a side as a number", () => {
  it("keeps its digits, and is absent where it is null or zero", () => {
    expect([number("15130"), number("305200.0"), number("0"), number("0.0"), number("null")]).toEqual([
      "15130",
      "305200.0",
      null,
      null,
      null,
    ]);
  });

  it.each(["-1", "1e4", '"15130"', "[]", "true"])("refuses %s", (json) => {
    expect(() => number(json)).toThrow(/side/);
  });
});
