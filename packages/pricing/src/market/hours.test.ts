import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marketStateAt } from "./hours.ts";

const at = (text: string): number => Date.parse(text);
const HOUR = 3_600_000;

const wall = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  weekday: "short",
  hour: "2-digit",
  hourCycle: "h23",
});
/** The rule evaluated hour by hour with the runtime's own New York calendar. */
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
    ["2026-12-31T23:30:00Z", true, "2027-01-01T22:00:00Z", "New Year's Eve"],
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

  it("agrees with New York's calendar at any moment since 1996", () => {
    fc.assert(
      fc.property(fc.integer({ min: at("1996-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") }), (ms) => {
        expect(marketStateAt(ms).open).toBe(openByCalendar(ms));
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 3_000 : 600 },
    );
  });

  it("alternates from change to change, each the first one after the last", () => {
    let moment = at("2023-12-30T00:00:00Z");
    let state = marketStateAt(moment);
    let changes = 0;
    for (; state.nextChangeMs < at("2029-01-01T00:00:00Z"); changes++) {
      expect(state.nextChangeMs).toBeGreaterThan(moment);
      expect(marketStateAt(state.nextChangeMs - 1)).toEqual(state);
      const next = marketStateAt(state.nextChangeMs);
      expect(next.open).toBe(!state.open);
      expect(next.sinceMs).toBe(state.nextChangeMs);
      const lasted = next.nextChangeMs - state.nextChangeMs;
      expect(next.open ? [23 * HOUR] : [HOUR, 48 * HOUR, 49 * HOUR, 50 * HOUR]).toContain(lasted);
      moment = state.nextChangeMs;
      state = next;
    }
    expect(changes).toBeGreaterThan(2_600);
  });
});
