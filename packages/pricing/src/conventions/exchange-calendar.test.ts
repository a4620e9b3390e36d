/** Compares business days with dates the exchange published. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  businessDayFromEnd,
  businessDayUpTo,
  isBusinessDay,
  lastFinishedBusinessDay,
  marketStateAt,
  sessionOf,
} from "./exchange-calendar.ts";
import { addDays, dayIn, NEW_YORK } from "./zoned-time.ts";

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

const at = (text: string): number => Date.parse(text);
const HOUR = 3_600_000;

const wall = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  weekday: "short",
  hour: "2-digit",
  hourCycle: "h23",
});
/** The rule of an ordinary week, evaluated hour by hour with the runtime's own New York calendar. */
const openByCalendar = (ms: number): boolean => {
  const parts = Object.fromEntries(wall.formatToParts(ms).map(({ type, value }) => [type, value]));
  const hour = Number(parts.hour);
  if (parts.weekday === "Sat") return false;
  if (parts.weekday === "Sun") return hour >= 18;
  if (parts.weekday === "Fri") return hour < 17;
  return hour !== 17;
};

describe("marketStateAt", () => {
  it.each([
    ["2026-11-20T21:59:59Z", true, "2026-11-20T22:00:00Z", "Friday afternoon in winter"],
    ["2026-11-20T22:00:00Z", false, "2026-11-22T23:00:00Z", "the close of the week"],
    ["2026-11-21T12:00:00Z", false, "2026-11-22T23:00:00Z", "Saturday"],
    ["2026-11-22T22:59:59Z", false, "2026-11-22T23:00:00Z", "Sunday before the opening"],
    ["2026-11-22T23:00:00Z", true, "2026-11-23T22:00:00Z", "Sunday's opening"],
    ["2026-11-24T22:30:00Z", false, "2026-11-24T23:00:00Z", "the daily break in winter"],
    ["2026-07-15T20:59:59Z", true, "2026-07-15T21:00:00Z", "before the daily break in summer"],
    ["2026-07-15T21:00:00Z", false, "2026-07-15T22:00:00Z", "the daily break in summer"],
    ["2026-07-17T21:00:00Z", false, "2026-07-19T22:00:00Z", "the close of a week in summer"],
    ["2026-12-31T23:30:00Z", false, "2027-01-03T23:00:00Z", "New Year's Eve after the close, before a Friday"],
    ["2025-12-31T21:59:59Z", true, "2025-12-31T22:00:00Z", "New Year's Eve, a full day"],
    ["2026-01-01T22:59:59Z", false, "2026-01-01T23:00:00Z", "New Year, until the evening"],
    ["2027-03-26T12:00:00Z", false, "2027-03-28T22:00:00Z", "Good Friday"],
    ["2026-12-24T18:44:59Z", true, "2026-12-24T18:45:00Z", "Christmas Eve"],
    ["2026-12-25T12:00:00Z", false, "2026-12-27T23:00:00Z", "Christmas on a Friday"],
    ["2025-12-25T12:00:00Z", false, "2025-12-25T23:00:00Z", "Christmas on a Thursday"],
    ["2027-12-24T12:00:00Z", false, "2027-12-26T23:00:00Z", "Christmas kept on the Friday before"],
    ["2027-12-23T20:00:00Z", true, "2027-12-23T22:00:00Z", "the day before that, a full one"],
    ["2026-01-19T19:29:59Z", true, "2026-01-19T19:30:00Z", "Martin Luther King Day"],
    ["2026-01-19T19:30:00Z", false, "2026-01-19T23:00:00Z", "Martin Luther King Day after its halt"],
    ["2026-02-16T19:30:00Z", false, "2026-02-16T23:00:00Z", "Presidents' Day"],
    ["2026-05-25T18:30:00Z", false, "2026-05-25T22:00:00Z", "Memorial Day"],
    ["2025-06-19T18:30:00Z", false, "2025-06-19T22:00:00Z", "Juneteenth"],
    ["2026-06-19T17:00:00Z", false, "2026-06-21T22:00:00Z", "Juneteenth on a Friday"],
    ["2025-07-04T17:00:00Z", false, "2025-07-06T22:00:00Z", "Independence Day on a Friday"],
    ["2026-09-07T18:30:00Z", false, "2026-09-07T22:00:00Z", "Labor Day"],
    ["2026-11-26T19:30:00Z", false, "2026-11-26T23:00:00Z", "Thanksgiving"],
    ["2026-11-27T18:45:00Z", false, "2026-11-29T23:00:00Z", "the day after Thanksgiving"],
    ["2027-08-02T00:00:00Z", true, "2027-08-02T21:00:00Z", "Monday 00:00 in UTC, which is New York's Sunday evening"],
    ["2027-12-31T23:30:00Z", false, "2028-01-02T23:00:00Z", "the last half hour of a year"],
    ["2028-02-29T12:00:00Z", true, "2028-02-29T22:00:00Z", "29 February"],
  ])("at %s is open: %s, until %s (%s)", (moment, open, next) => {
    const state = marketStateAt(at(moment));
    expect({ open: state.open, next: new Date(state.nextChangeMs).toISOString() }).toEqual({
      open,
      next: new Date(at(next)).toISOString(),
    });
  });

  it.each([
    // The weekend of a daylight saving change: closes on the old time before it, opens on the new time after it.
    ["2024-03-08T22:00:00Z", "2024-03-10T22:00:00Z"],
    ["2024-11-01T21:00:00Z", "2024-11-03T23:00:00Z"],
    ["2025-03-07T22:00:00Z", "2025-03-09T22:00:00Z"],
    ["2025-10-31T21:00:00Z", "2025-11-02T23:00:00Z"],
    ["2026-03-06T22:00:00Z", "2026-03-08T22:00:00Z"],
    ["2026-10-30T21:00:00Z", "2026-11-01T23:00:00Z"],
    ["2027-03-12T22:00:00Z", "2027-03-14T22:00:00Z"],
    ["2027-11-05T21:00:00Z", "2027-11-07T23:00:00Z"],
    // Until 2006 clocks changed in April and October.
    ["2006-03-31T22:00:00Z", "2006-04-02T22:00:00Z"],
    ["2006-10-27T21:00:00Z", "2006-10-29T23:00:00Z"],
  ])("closes at %s and opens at %s over a change of clocks", (close, open) => {
    expect(marketStateAt(at(close) - 1)).toMatchObject({ open: true, nextChangeMs: at(close) });
    const closed = { open: false, sinceMs: at(close), nextChangeMs: at(open) };
    expect(marketStateAt(at(close))).toEqual(closed);
    expect(marketStateAt(at(open) - 1)).toEqual(closed);
    expect(marketStateAt(at(open))).toMatchObject({ open: true, sinceMs: at(open) });
  });

  it("agrees with New York's calendar at any moment since 1996, except for whole and early closes", () => {
    fc.assert(
      fc.property(fc.integer({ min: at("1996-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") }), (ms) => {
        const day = dayIn(NEW_YORK, ms);
        const isOrdinary = [day, addDays(day, 1)].every((each) => {
          const session = sessionOf("metals", each);
          return session ? session.toMs - session.fromMs === 23 * HOUR : new Date(`${each}T00:00:00Z`).getUTCDay() % 6 === 0;
        });
        if (isOrdinary) expect(marketStateAt(ms).open).toBe(openByCalendar(ms));
        else if (!openByCalendar(ms)) expect(marketStateAt(ms).open).toBe(false);
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 3_000 : 600 },
    );
  });

  it.each(["metals", "fund"] as const)(
    "alternates from change to change of the %s, each the first one after the last",
    (venue) => {
      let moment = at("2023-12-30T00:00:00Z");
      let state = marketStateAt(moment, venue);
      let changes = 0;
      for (; state.nextChangeMs < at("2029-01-01T00:00:00Z"); changes++) {
        expect(state.nextChangeMs).toBeGreaterThan(moment);
        expect(marketStateAt(state.nextChangeMs - 1, venue)).toEqual(state);
        const next = marketStateAt(state.nextChangeMs, venue);
        expect(next.open).toBe(!state.open);
        expect(next.sinceMs).toBe(state.nextChangeMs);
        const lasted = next.nextChangeMs - state.nextChangeMs;
        expect(lasted).toBeGreaterThanOrEqual(HOUR);
        expect(lasted).toBeLessThan(5 * 24 * HOUR);
        moment = state.nextChangeMs;
        state = next;
      }
      expect(changes).toBeGreaterThan(2_480);
    },
  );

  it.each([
    ["2026-11-25T14:29:59Z", false, "2026-11-25T14:30:00Z", "before the bell"],
    ["2026-11-25T20:59:59Z", true, "2026-11-25T21:00:00Z", "an ordinary day"],
    ["2026-11-25T21:00:00Z", false, "2026-11-27T14:30:00Z", "the evening before Thanksgiving"],
    ["2026-11-27T17:59:59Z", true, "2026-11-27T18:00:00Z", "the day after Thanksgiving"],
    ["2028-07-03T16:59:59Z", true, "2028-07-03T17:00:00Z", "the day before Independence Day"],
    ["2026-12-24T18:00:00Z", false, "2026-12-28T14:30:00Z", "Christmas Eve"],
    ["2025-01-09T16:00:00Z", false, "2025-01-10T14:30:00Z", "a day of mourning of the stock exchanges"],
    ["2026-11-22T23:30:00Z", false, "2026-11-23T14:30:00Z", "a Sunday evening"],
  ])("knows that the fund is at %s open: %s, until %s (%s)", (moment, open, next) => {
    expect(marketStateAt(at(moment), "fund")).toMatchObject({ open, nextChangeMs: at(next) });
  });
});
