import { expect, it } from "vitest";
import { calendarDay, clockTime, countdownText, daysUntil, lengthText, shortDay } from "./moments.ts";

it("says how long in the largest unit", () => {
  expect([0, -5_000, 3_900, 60_000, 900_000, 3_600_000, 90_000_000, 345_600_000].map(lengthText)).toEqual([
    ...["0 s", "0 s", "3 s", "1 min", "15 min", "1 h", "25 h", "4 days"],
  ]);
});

it("counts down to zero, never below, and rounds up", () => {
  expect([22_100, 1, 0, -1, 119_500, 121_000, 3_000_000].map(countdownText)).toEqual([
    ...["23 s", "1 s", "0 s", "0 s", "2 min", "3 min", "50 min"],
  ]);
});

it("counts days to a day of UTC, whatever the time of day", () => {
  const late = Date.parse("2026-11-20T23:59:00Z");
  expect(daysUntil("2026-11-20", late)).toBe(0);
  expect(daysUntil("2026-12-29", late)).toBe(39);
  expect(daysUntil("2026-11-19", late)).toBe(-1);
});

it("shows a calendar day as itself in every zone", () => {
  expect(calendarDay("2026-11-20", "en-GB")).toBe("20 Nov 2026");
  expect(shortDay("2026-11-20", "en-GB")).toBe("20 Nov");
});

it("shows a clock time of 24 hours with seconds", () => {
  expect(clockTime(Date.parse("2026-11-20T14:03:27Z"), "en-GB")).toMatch(/^\d\d:\d3:27$|^\d\d:\d\d:27$/);
});
