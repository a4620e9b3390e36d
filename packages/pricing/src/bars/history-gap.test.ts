/** What a series lacks: parts that are still being filled in, and bars by the calendar. */
import { DAY_MS, HOUR_MS, INTERVAL_MS, INTERVALS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marketStateAt, openWithin } from "../conventions/exchange-calendar.ts";
import { barsMissing, expectedBars, type HistoryGap, joinGaps, lacksBars } from "./history-gap.ts";

const gap = (fromMs: number, untilMs: number, bars: HistoryGap["bars"] = "intraday"): HistoryGap => ({
  symbol: "XAU-USD-SPOT",
  bars,
  fromMs,
  untilMs,
});

describe("a window of a series", () => {
  const windows = fc.record({
    fromMs: fc.integer({ min: 0, max: 40 }),
    lengthMs: fc.nat(40),
    gapFrom: fc.nat(40),
    gapLength: fc.integer({ min: 1, max: 40 }),
  });

  it("lacks bars exactly when one of its starts belongs to a bar within a gap", () => {
    fc.assert(
      fc.property(windows, fc.constantFrom(...INTERVALS.filter((each) => each !== "1d")), (drawn, interval) => {
        const step = INTERVAL_MS[interval];
        const one = gap(drawn.gapFrom * step, (drawn.gapFrom + drawn.gapLength) * step);
        const fromMs = drawn.fromMs * step;
        const toMs = fromMs + drawn.lengthMs * step;
        let isLacking = false;
        for (let startMs = fromMs; startMs <= toMs; startMs += step)
          isLacking ||= startMs + step > one.fromMs && startMs < one.untilMs;
        expect(lacksBars([one], { symbol: one.symbol, interval, fromMs, toMs })).toBe(isLacking);
      }),
    );
  });

  it("is complete in another series, and at intervals the gap does not have", () => {
    const window = { symbol: "XAU-USD-SPOT", interval: "1h", fromMs: 0, toMs: 9 * HOUR_MS } as const;
    expect(lacksBars([gap(0, HOUR_MS)], window)).toBe(true);
    expect(lacksBars([gap(0, HOUR_MS)], { ...window, interval: "1d" })).toBe(false);
    expect(lacksBars([gap(0, HOUR_MS, "daily")], window)).toBe(false);
    expect(lacksBars([gap(0, HOUR_MS, "daily")], { ...window, interval: "1d" })).toBe(true);
    expect(lacksBars([gap(0, HOUR_MS)], { ...window, symbol: "XAG-USD-SPOT" })).toBe(false);
    expect(lacksBars([], window)).toBe(false);
  });
});

describe("the bars that are missing", () => {
  it("are counted at every interval of the gap", () => {
    expect(barsMissing([gap(0, 24 * HOUR_MS, "daily")])).toBe(1);
    expect(barsMissing([gap(0, 24 * HOUR_MS)])).toBe(1440 + 288 + 96 + 48 + 24 + 12 + 6);
    expect(barsMissing([])).toBe(0);
  });
});

describe("joined gaps", () => {
  it("cover the same instants, apart from each other and in order", () => {
    const gaps = fc.array(fc.tuple(fc.nat(30), fc.nat(10)), { maxLength: 8 });
    fc.assert(
      fc.property(gaps, (drawn) => {
        const before = drawn.map(([from, length]) => gap(from, from + length));
        const after = joinGaps(before);
        const covered = (list: readonly HistoryGap[], at: number) =>
          list.some(({ fromMs, untilMs }) => at >= fromMs && at < untilMs);
        for (let at = 0; at <= 41; at += 1) expect(covered(after, at)).toBe(covered(before, at));
        for (const [index, each] of after.entries()) {
          expect(each.fromMs).toBeLessThan(each.untilMs);
          expect(each.fromMs).toBeGreaterThan(after[index - 1]?.untilMs ?? -1);
        }
      }),
    );
  });
});

const barsOn = (day: string, interval: keyof typeof INTERVAL_MS, venue: "metals" | "fund" = "metals"): number => {
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  return expectedBars(INTERVAL_MS[interval], openWithin(fromMs, fromMs + DAY_MS, venue));
};

describe("the expected bars of a day", () => {
  it.each([
    ["2026-11-18", "a Wednesday, without the break of an hour", 1_380, 23],
    ["2026-11-20", "a Friday in winter, to 22:00 UTC", 1_320, 22],
    ["2026-07-17", "a Friday in summer, to 21:00 UTC", 1_260, 21],
    ["2026-11-21", "a Saturday", 0, 0],
    ["2026-11-22", "a Sunday in winter, from 23:00 UTC", 60, 1],
    ["2026-12-25", "Christmas", 0, 0],
  ])("on %s, %s, are %i minutes and %i hours", (day, _, minutes, hours) => {
    expect(barsOn(day, "1m")).toBe(minutes);
    expect(barsOn(day, "1h")).toBe(hours);
    expect(barsOn(day, "1d")).toBe(minutes > 0 ? 1 : 0);
  });

  it("count a bar once that two sessions share", () => {
    // The break from 22:00 to 23:00 lies within the bar of four hours.
    expect(barsOn("2026-11-18", "4h")).toBe(6);
    expect(barsOn("2026-11-18", "4h", "fund")).toBe(3);
  });

  it("are the minutes in which the market is open at their beginning, counted one by one", () => {
    for (const day of ["2026-03-08", "2026-11-27"]) {
      const fromMs = Date.parse(`${day}T00:00:00Z`);
      const starts = Array.from({ length: 1_440 }, (_, minute) => fromMs + minute * (HOUR_MS / 60));
      expect(barsOn(day, "1m")).toBe(starts.filter((ms) => marketStateAt(ms).open).length);
    }
  });
});
