/** Local times of time zones. */
import { HOUR_MS } from "@assay/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, CHICAGO, dayIn, NEW_YORK, wallTimeMs } from "./zoned-time.ts";

test("a wall clock's time is an instant of the offset that holds then", () => {
  expect(wallTimeMs(NEW_YORK, "2026-11-20", 17 * HOUR_MS)).toBe(Date.parse("2026-11-20T22:00:00Z"));
  expect(wallTimeMs(NEW_YORK, "2026-08-20", 17 * HOUR_MS)).toBe(Date.parse("2026-08-20T21:00:00Z"));
  expect(wallTimeMs(CHICAGO, "2026-08-21", 17 * HOUR_MS)).toBe(Date.parse("2026-08-21T22:00:00Z"));
  // Days of daylight saving changes.
  expect(wallTimeMs(NEW_YORK, "2026-03-08", 13.5 * HOUR_MS)).toBe(Date.parse("2026-03-08T17:30:00Z"));
  expect(wallTimeMs(NEW_YORK, "2026-11-01", 13.5 * HOUR_MS)).toBe(Date.parse("2026-11-01T18:30:00Z"));
});

test("an afternoon in New York falls on its own day there, through every year", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 36_500 }), fc.integer({ min: 4, max: 23 }), (day, hour) => {
      const text = addDays("1996-01-01", day);
      expect(dayIn(NEW_YORK, wallTimeMs(NEW_YORK, text, hour * HOUR_MS))).toBe(text);
    }),
  );
});
