/** Months by name, and hours of a clock of twelve. */
import { expect, test } from "vitest";
import { hourOfTwelve, MONTH_NAMES, monthNamed } from "./written-time.ts";

test("a month is named whole or by its beginning, in any case", () => {
  expect(MONTH_NAMES.map((name) => monthNamed(name.slice(0, 3).toUpperCase()))).toEqual(MONTH_NAMES.map((_, at) => at + 1));
  expect(["Sept", "December", "JLY", "jly"].map(monthNamed)).toEqual([9, 12, 7, 7]);
  expect(["", "j", "ju", "Mai", "Marble", "mayor", "constructor"].map(monthNamed)).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

test("midnight and noon are hours of twelve, zero and thirteen are none", () => {
  expect([12, 1, 11].map((hour) => [hourOfTwelve(hour, "AM"), hourOfTwelve(hour, "p.m.")])).toEqual([
    [0, 12],
    [1, 13],
    [11, 23],
  ]);
  for (const hour of [0, 13, -1, Number.NaN]) expect(hourOfTwelve(hour, "AM")).toBeNaN();
});
