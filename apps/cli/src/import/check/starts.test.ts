import { DAY_MS, HOUR_MS, INTERVAL_MS, type Interval } from "@assay/contract";
import { marketStateAt } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { continuityOf, StartSet } from "./starts.ts";

describe("StartSet", () => {
  it("has the same members as a Set of numbers, before and after 1970", () => {
    const minutes = fc.array(fc.oneof(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -20, max: 20 })));
    fc.assert(
      fc.property(minutes, (offsets) => {
        const [starts, oracle] = [new StartSet(60_000), new Set<number>()];
        return offsets.every((offset) => {
          const isNew = !oracle.has(offset);
          oracle.add(offset);
          return starts.add(offset * 60_000) === isNew;
        });
      }),
    );
  });
});

const setOf = (interval: Interval, starts: readonly number[]): StartSet => {
  const set = new StartSet(INTERVAL_MS[interval]);
  for (const start of starts) set.add(start);
  return set;
};
/** A Monday in winter: New York closes at 22:00 UTC and opens at 23:00. */
const MONDAY = Date.UTC(2025, 0, 6);
const at = (hours: number): number => MONDAY + hours * HOUR_MS;
const count = (interval: Interval, starts: readonly number[]) => continuityOf(setOf(interval, starts), "XAU-USD-SPOT", interval);

describe("continuityOf", () => {
  it("finds no gap where the market is closed, in order or out of order", () => {
    const open = Array.from({ length: 48 }, (_, hour) => at(hour)).filter((ms) => marketStateAt(ms).open);
    expect(open).toHaveLength(46);
    const expected = { closedHourBars: 0, missingBars: 0, holes: 0, longest: null, partialFirst: [], partialLast: [] };
    expect(count("1h", open)).toEqual(expected);
    expect(count("1h", open.toReversed())).toEqual(expected);
  });

  it("counts bars of closed hours, and gaps with the longest of them", () => {
    const starts = [at(0), at(1), at(3), at(8), at(9), at(22), at(24)];
    expect(count("1h", starts)).toMatchObject({
      closedHourBars: 1,
      missingBars: 1 + 4 + 12 + 1,
      holes: 4,
      longest: { fromMs: at(10), untilMs: at(22), bars: 12 },
    });
  });

  it("names the coarser bars the file holds only partly at its ends", () => {
    expect(count("1h", [at(5), at(6), at(7)])).toMatchObject({ partialFirst: ["2h", "4h", "1d"], partialLast: ["1d"] });
    // The day ends with the market, except for the hour after it reopens.
    const day = Array.from({ length: 22 }, (_, hour) => at(hour));
    expect(count("1h", day)).toMatchObject({
      partialFirst: [],
      partialLast: ["4h", "1d"],
    });
  });

  it("judges days by their date: Saturdays are closed, weekdays are missed, Sundays neither", () => {
    const days = [0, 1, 2, 4, 5, 6, 7].map((day) => at(day * 24));
    expect(count("1d", days)).toEqual({
      closedHourBars: 1,
      missingBars: 1,
      holes: 1,
      partialFirst: [],
      partialLast: [],
      longest: { fromMs: at(72), untilMs: at(96), bars: 1 },
    });
  });

  it("misses no day on which the exchange has no session, and finds those of the fund's holidays suspicious", () => {
    // Good Friday 2025; the fund's exchange was closed on 9 January as well, and the metals were not.
    const good = Date.UTC(2025, 3, 18);
    expect(count("1d", [good - DAY_MS, good + 3 * DAY_MS])).toMatchObject({ closedHourBars: 0, missingBars: 0 });
    expect(count("1d", [good - DAY_MS, good])).toMatchObject({ closedHourBars: 1 });
    const fund = (starts: readonly number[]) => continuityOf(setOf("1d", starts), "GLD", "1d");
    expect(fund([at(48), at(96)])).toMatchObject({ closedHourBars: 0, missingBars: 0 });
    expect(fund([at(48), at(72), at(96), at(144)])).toMatchObject({ closedHourBars: 2, missingBars: 0 });
    expect(count("1d", [at(48), at(96)])).toMatchObject({ missingBars: 1 });
  });

  it("counts no hours of GLD, which trades on a stock exchange", () => {
    const starts = [at(15), at(16), at(48)];
    expect(continuityOf(setOf("1h", starts), "GLD", "1h")).toMatchObject({ closedHourBars: null, missingBars: 0 });
  });

  it("misses exactly the open buckets that are absent, whatever is left out", () => {
    const intervals = ["5m", "1h", "4h"] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...intervals),
        fc.uniqueArray(fc.nat(400), { minLength: 2 }),
        fc.nat(2_000),
        (interval, places, shift) => {
          const lengthMs = INTERVAL_MS[interval];
          const base = MONDAY + shift * 4 * HOUR_MS;
          const starts = places.map((place) => base + place * lengthMs);
          const isOpen = (ms: number): boolean => marketStateAt(ms).open || marketStateAt(ms).nextChangeMs < ms + lengthMs;
          let missing = 0;
          for (let ms = Math.min(...starts); ms < Math.max(...starts); ms += lengthMs) {
            if (!starts.includes(ms) && isOpen(ms)) missing += 1;
          }
          const found = count(interval, starts);
          expect(found.missingBars).toBe(missing);
          expect(found.closedHourBars).toBe(starts.filter((ms) => !isOpen(ms)).length);
        },
      ),
    );
  });
});
