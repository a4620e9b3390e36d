/** Compares business days with dates the exchange published. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { businessDayFromEnd, businessDayUpTo, isBusinessDay, lastFinishedBusinessDay } from "./exchange-calendar.ts";

describe("the exchange's business days", () => {
  test.each([
    ["2026-01-01", "New Year"],
    ["2026-01-19", "Martin Luther King Day"],
    ["2026-02-16", "Presidents' Day"],
    ["2026-04-03", "Good Friday"],
    ["2026-05-25", "Memorial Day"],
    ["2026-06-19", "Juneteenth"],
    ["2026-07-03", "Independence Day, kept on the Friday"],
    ["2026-09-07", "Labor Day"],
    ["2026-11-26", "Thanksgiving"],
    ["2026-12-25", "Christmas"],
    ["2027-07-05", "Independence Day, kept on the Monday"],
    ["2026-11-21", "a Saturday"],
    ["2026-11-22", "a Sunday"],
  ])("exclude %s, %s", (day) => {
    expect(isBusinessDay(day)).toBe(false);
  });

  test.each([
    ["2001-09-11", "the attack"],
    ["2001-09-12", "the day after"],
    ["2001-09-13", "and the day before electronic trading resumed"],
    ["2002-11-29", "the Friday after Thanksgiving, by notice"],
    ["2004-06-11", "a day of mourning"],
    ["2004-12-24", "Christmas, kept on the Friday"],
    ["2012-04-06", "Good Friday"],
    ["2022-06-20", "Juneteenth, kept on the Monday"],
  ])("exclude %s, %s", (day) => {
    expect(isBusinessDay(day)).toBe(false);
  });

  test.each([
    ["2001-09-14", "electronic trading had resumed"],
    ["2007-01-02", "a day of mourning on which electronic trading went on"],
    ["2012-10-29", "a storm that closed the floor alone"],
    ["2012-10-30", "and its second day"],
    ["2018-12-05", "a day of mourning of other markets"],
    ["2025-01-09", "a day of mourning of other markets"],
    ["2010-12-31", "New Year on a Saturday is not kept"],
  ])("include %s: %s", (day) => {
    expect(isBusinessDay(day)).toBe(true);
  });

  test("exclude Good Friday in every year from 2000 to 2035, by the calendar of Gauss", () => {
    for (let year = 2000; year <= 2035; year += 1) {
      const [a, b, c] = [year % 19, year % 4, year % 7];
      const d = (19 * a + 24) % 30;
      const e = (2 * b + 4 * c + 6 * d + 5) % 7;
      // Easter is d + e days after 22 March; Gauss's two exceptions do not occur in these years.
      const goodFriday = new Date(Date.UTC(year, 2, 22 + d + e - 2)).toISOString().slice(0, 10);
      expect(isBusinessDay(goodFriday), goodFriday).toBe(false);
    }
  });

  test("are 8 to 12 weekdays fewer than the weekdays of a year, from 1998 to 2035", () => {
    for (let year = 1998; year <= 2035; year += 1) {
      let closed = 0;
      for (let atMs = Date.UTC(year, 0, 1); atMs < Date.UTC(year + 1, 0, 1); atMs += 86_400_000) {
        const day = new Date(atMs);
        if (day.getUTCDay() % 6 !== 0 && !isBusinessDay(day.toISOString().slice(0, 10))) closed += 1;
      }
      expect(closed, String(year)).toBeGreaterThanOrEqual(8);
      expect(closed, String(year)).toBeLessThanOrEqual(12);
    }
  });

  test.each(["2026-11-27", "2026-10-12", "2026-11-11", "2026-12-24", "2021-12-31", "2021-06-18", "2027-12-31"])(
    "include %s, which may be a federal holiday, on which it settles",
    (day) => {
      expect(isBusinessDay(day)).toBe(true);
    },
  );

  test("are counted back from the end of a month, over holidays in it", () => {
    expect(businessDayFromEnd(2026, 8, 3)).toBe("2026-08-27");
    expect(businessDayFromEnd(2026, 12, 3)).toBe("2026-12-29");
    expect(businessDayFromEnd(2024, 3, 3)).toBe("2024-03-26"); // Good Friday on the 29th
    expect(businessDayFromEnd(2021, 5, 3)).toBe("2021-05-26"); // Memorial Day on the 31st
    expect(businessDayFromEnd(2002, 11, 3)).toBe("2002-11-25"); // also closed on the 29th, and the expiry was moved by notice
    expect(businessDayFromEnd(2021, 12, 3)).toBe("2021-12-29"); // a New Year's Day on a Saturday is not observed on the 31st
  });

  test("are never more than five days apart", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_500 }), (day) => {
        const text = new Date(Date.UTC(1996, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
        const found = businessDayUpTo(text);
        expect(isBusinessDay(found)).toBe(true);
        expect(Date.parse(text) - Date.parse(found)).toBeLessThan(5 * 86_400_000);
      }),
    );
  });

  test("are over at midnight in New York, in winter and in summer", () => {
    expect(lastFinishedBusinessDay(Date.parse("2026-11-21T04:59:59Z"))).toBe("2026-11-19");
    expect(lastFinishedBusinessDay(Date.parse("2026-11-21T05:00:00Z"))).toBe("2026-11-20");
    expect(lastFinishedBusinessDay(Date.parse("2026-11-24T04:59:59Z"))).toBe("2026-11-20");
    expect(lastFinishedBusinessDay(Date.parse("2026-08-22T04:00:00Z"))).toBe("2026-08-21");
  });
});
