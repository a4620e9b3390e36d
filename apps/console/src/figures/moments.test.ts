import { expect, it } from "vitest";
import { separatorsOf } from "./digits.ts";
import { agoText, calendarDay, clockTime, countdownText, dayAndTime, daysUntil, lengthText, shortDay } from "./moments.ts";

it("says how long in the largest unit", () => {
  expect([0, -5_000, 3_900, 60_000, 900_000, 3_600_000, 90_000_000, 345_600_000].map(lengthText)).toEqual([
    "0 s",
    "0 s",
    "3 s",
    "1 min",
    "15 min",
    "1 h",
    "25 h",
    "4 days",
  ]);
});

it("says how long ago in the words of its unit", () => {
  expect([3_900, 900_000, 345_600_000].map(agoText)).toEqual(["3 s ago", "15 min ago", "4 days ago"]);
});

it("counts down to zero, never below, and rounds up", () => {
  expect([22_100, 1, 0, -1, 119_500, 121_000, 3_000_000].map(countdownText)).toEqual([
    "23 s",
    "1 s",
    "0 s",
    "0 s",
    "2 min",
    "3 min",
    "50 min",
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

it("shows an instant in the zone it is asked for, by a clock of 24 hours", () => {
  const instant = Date.parse("2026-11-20T23:03:27Z");
  expect(clockTime(instant, { locale: "en-GB", timeZone: "UTC" })).toBe("23:03:27");
  expect(clockTime(instant, { locale: "en-GB", timeZone: "Asia/Kolkata" })).toBe("04:33:27");
  expect(dayAndTime(instant, { locale: "en-GB", timeZone: "Asia/Kolkata" })).toBe("21 Nov 2026, 04:33");
});

it("writes the digits of figures and the common calendar in every language", () => {
  for (const locale of ["ar", "ar-EG", "ar-SA", "hi-IN-u-nu-deva", "de", "tr", "zh"]) {
    const { digits } = separatorsOf(locale);
    const latin = (text: string): string =>
      [...text].map((sign) => (digits.includes(sign) ? digits.indexOf(sign) : sign)).join("");
    expect(latin(clockTime(Date.parse("2026-11-20T14:03:27Z"), { locale, timeZone: "UTC" })), locale).toBe("14:03:27");
    expect(latin(calendarDay("2026-11-20", locale)), locale).toMatch(/20\D.*2026|2026\D.*20/);
  }
});
