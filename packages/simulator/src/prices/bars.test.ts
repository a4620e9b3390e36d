/** Compares simulated bars with the prices and the finer bars they cover. */
import { BAR_SYMBOLS, DAY_MS, INTERVAL_MS, type Interval, MINUTE_MS } from "@assay/contract";
import { aggregateBars, type BarRow, type DailySymbol, marketStateAt } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SimulatedHours, seriesOf, tradedIn, tradeOf } from "../series/series.ts";
import { simulatedBars, simulatedPrice } from "./price.ts";

/** Whether this is the long run: `npm run test:long` tries more. */
const IS_DEEP = process.env.TEST_DEPTH === "deep";
const SYMBOLS: readonly DailySymbol[] = [...BAR_SYMBOLS, "XPT-USD-SPOT", "XPD-USD-SPOT"];

const symbol = fc.constantFrom(...SYMBOLS);
const hours = fc.constantFrom<SimulatedHours>("always", "market");
const seed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const day = fc.integer({ min: Date.UTC(2004, 10, 18) / DAY_MS, max: Date.UTC(2040, 0, 1) / DAY_MS });
const minute = fc.integer({ min: Date.UTC(2004, 10, 18) / MINUTE_MS, max: Date.UTC(2040, 0, 1) / MINUTE_MS });

const bars = (...args: Parameters<typeof simulatedBars>): BarRow[] => [...simulatedBars(...args)];

/** The bar of the whole seconds in [fromMs, toMs), from each second's price. */
const byEverySecond = (
  name: DailySymbol,
  interval: Interval,
  startMs: number,
  of: number,
  when: SimulatedHours,
): BarRow | null => {
  const series = seriesOf(name);
  const trade = tradeOf(series, of);
  const prices: string[] = [];
  let volume = 0;
  for (let atMs = startMs; atMs < startMs + INTERVAL_MS[interval]; atMs += 1_000) {
    if (when === "market" && !marketStateAt(atMs, series.venue).open) continue;
    prices.push(simulatedPrice(series.instrument, atMs, of));
    if (trade) volume += tradedIn(trade, atMs / 1_000, atMs / 1_000 + 1);
  }
  const [open, close] = [prices[0], prices.at(-1)];
  if (open === undefined || close === undefined) return null;
  const sorted = prices.toSorted((a, b) => Number(a) - Number(b));
  return {
    symbol: name,
    interval,
    barStartMs: startMs,
    open,
    high: sorted.at(-1) ?? "",
    low: sorted[0] ?? "",
    close,
    volume: trade && String(volume),
    isClosed: true,
    sourceId: "simulated",
  };
};

describe("simulated bars", () => {
  it("have, minute by minute, exactly what the prices of all their seconds have", () => {
    fc.assert(
      fc.property(symbol, minute, seed, hours, (name, at, of, when) => {
        const startMs = at * MINUTE_MS;
        const expected = byEverySecond(name, "1m", startMs, of, when);
        expect(bars(name, "1m", startMs, startMs + MINUTE_MS, of, when)).toEqual(expected ? [expected] : []);
      }),
    );
  });

  it("have, day by day and long ago, exactly what the prices of all their seconds have", () => {
    for (const [name, startMs, when] of [
      ["GC", Date.UTC(2013, 3, 15), "market"],
      ...(IS_DEEP
        ? ([
            ["XAU-USD-SPOT", Date.UTC(1999, 8, 28), "always"],
            ["GC", Date.UTC(2013, 3, 15), "always"],
            ["XAG-USD-SPOT", Date.UTC(2020, 2, 20), "market"],
          ] as const)
        : []),
    ] as const) {
      expect(bars(name, "1d", startMs, startMs + DAY_MS, 7, when)).toEqual([byEverySecond(name, "1d", startMs, 7, when)]);
    }
  });

  it("agree at every interval with the minutes they are made of", () => {
    fc.assert(
      fc.property(symbol, day, seed, hours, (name, at, of, when) => {
        const [fromMs, toMs] = [at * DAY_MS, (at + 1) * DAY_MS];
        const minutes = bars(name, "1m", fromMs, toMs, of, when);
        for (const interval of ["5m", "15m", "30m", "1h", "2h", "4h", "1d"] as const) {
          expect(bars(name, interval, fromMs, toMs, of, when)).toEqual(aggregateBars(minutes, interval, toMs));
        }
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 60 : 15 },
    );
  });

  it("keep every day the same however the range is cut", () => {
    fc.assert(
      fc.property(symbol, day, seed, hours, fc.integer({ min: 1, max: 40 }), (name, at, of, when, length) => {
        const [fromMs, toMs] = [at * DAY_MS, (at + length) * DAY_MS];
        const whole = bars(name, "1d", fromMs, toMs, of, when);
        const cutMs = (at + Math.floor(length / 2)) * DAY_MS;
        expect([...bars(name, "1d", fromMs, cutMs, of, when), ...bars(name, "1d", cutMs, toMs, of, when)]).toEqual(whole);
        expect(bars(name, "1d", fromMs - 5, toMs, of, when)).toEqual(whole);
      }),
      { numRuns: IS_DEEP ? 100 : 25 },
    );
  });

  it("leave the bar that the range cuts short forming, with the seconds before the cut", () => {
    const startMs = Date.UTC(2026, 10, 20, 14, 0);
    const cutMs = startMs + 7 * MINUTE_MS + 30_000;
    const [forming, ...others] = bars("GC", "15m", startMs, cutMs, 1);
    const made = aggregateBars(bars("GC", "1m", startMs, cutMs, 1), "15m", cutMs);
    expect(others).toEqual([]);
    expect(forming).toEqual(made[0]);
    expect(forming).toMatchObject({ isClosed: false, barStartMs: startMs });
  });

  it("include the next second once the range ends after it, not at it", () => {
    const startMs = Date.UTC(2026, 10, 20, 14, 0);
    const close = (toMs: number) => bars("XAU-USD-SPOT", "1m", startMs, toMs, 1)[0]?.close;
    expect(close(startMs + 5_000)).toBe(simulatedPrice("XAU-USD-SPOT", startMs + 4_000, 1));
    expect(close(startMs + 5_001)).toBe(simulatedPrice("XAU-USD-SPOT", startMs + 5_000, 1));
  });

  it("begin with 1996, and with its listing for the fund", () => {
    const first = (name: DailySymbol) => simulatedBars(name, "1d", 0, Date.UTC(2005, 0, 1), 1).next().value?.barStartMs;
    expect(first("XAU-USD-SPOT")).toBe(Date.UTC(1996, 0, 1));
    expect(first("XPD-USD-SPOT")).toBe(Date.UTC(1996, 0, 1));
    expect(first("GLD")).toBe(Date.UTC(2004, 10, 18));
  });

  it("skip Saturdays and the daily break in market hours, and nothing otherwise", () => {
    const [fromMs, toMs] = [Date.UTC(2026, 10, 16), Date.UTC(2026, 10, 23)];
    expect(bars("XAU-USD-SPOT", "1d", fromMs, toMs, 1, "market").map((bar) => new Date(bar.barStartMs).getUTCDay())).toEqual([
      1, 2, 3, 4, 5, 0,
    ]);
    expect(bars("XAU-USD-SPOT", "1h", fromMs, toMs, 1, "market")).toHaveLength(4 * 23 + 22 + 1);
    expect(bars("XAU-USD-SPOT", "1h", fromMs, toMs, 1)).toHaveLength(7 * 24);
  });

  it("of the fund are those of its exchange's days and hours in market hours", () => {
    const days = (fromMs: number, toMs: number) =>
      bars("GLD", "1d", fromMs, toMs, 1, "market").map((bar) => new Date(bar.barStartMs).toISOString().slice(5, 10));
    // Thanksgiving, and Christmas on a Friday.
    expect(days(Date.UTC(2026, 10, 22), Date.UTC(2026, 10, 29))).toEqual(["11-23", "11-24", "11-25", "11-27"]);
    expect(days(Date.UTC(2026, 11, 23), Date.UTC(2026, 11, 29))).toEqual(["12-23", "12-24", "12-28"]);
    const hourly = bars("GLD", "1h", Date.UTC(2026, 10, 25), Date.UTC(2026, 10, 26), 1, "market");
    expect(hourly.map((bar) => new Date(bar.barStartMs).getUTCHours())).toEqual([14, 15, 16, 17, 18, 19, 20]);
    expect(bars("GLD", "1d", Date.UTC(2026, 10, 22), Date.UTC(2026, 10, 29), 1)).toHaveLength(7);
  });

  it("have no day without a session of the metals in market hours, and an early close on its eve", () => {
    const days = bars("XAU-USD-SPOT", "1d", Date.UTC(2027, 2, 25), Date.UTC(2027, 2, 28), 1, "market");
    expect(days.map((bar) => new Date(bar.barStartMs).getUTCDate())).toEqual([25]);
    const minutes = bars("XAU-USD-SPOT", "1m", Date.UTC(2026, 11, 24, 18), Date.UTC(2026, 11, 25), 1, "market");
    expect(minutes).toHaveLength(45);
  });

  it("state volumes for futures and the fund, and none for spot", () => {
    const [fromMs, toMs] = [Date.UTC(2026, 10, 19), Date.UTC(2026, 10, 20)];
    const volume = (name: DailySymbol) => bars(name, "1d", fromMs, toMs, 1)[0]?.volume;
    expect([volume("XAU-USD-SPOT"), volume("XPT-USD-SPOT")]).toEqual([null, null]);
    for (const name of ["GC", "SI", "HG", "GLD"] as const) expect(volume(name)).toMatch(/^[1-9][0-9]{4,}$/);
    const hourly = bars("GC", "1h", fromMs, toMs, 1).map((bar) => Number(bar.volume));
    expect(hourly[14]).toBeGreaterThan(2 * (hourly[21] ?? 0));
  });

  it("move as metals do: about 1 % a day and 2 bps a minute for gold, more for silver and copper", () => {
    const deviation = (name: DailySymbol, interval: Interval, fromMs: number, toMs: number) => {
      const closes = bars(name, interval, fromMs, toMs, 1).map((bar) => Number(bar.close));
      const moves = closes.slice(1).map((close, index) => close / (closes[index] ?? close) - 1);
      return Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length);
    };
    const [fromMs, toMs] = [Date.UTC(2015, 0, 1), Date.UTC(2026, 0, 1)];
    const gold = deviation("XAU-USD-SPOT", "1d", fromMs, toMs);
    expect(gold).toBeGreaterThan(0.006);
    expect(gold).toBeLessThan(0.012);
    expect(deviation("XAG-USD-SPOT", "1d", fromMs, toMs) / gold).toBeCloseTo(1.7, 0);
    expect(deviation("HG-USD-SPOT", "1d", fromMs, toMs) / gold).toBeCloseTo(1.3, 0);
    const byMinute = deviation("XAU-USD-SPOT", "1m", Date.UTC(2026, 10, 17), Date.UTC(2026, 10, 20));
    expect(byMinute).toBeGreaterThan(0.0001);
    expect(byMinute).toBeLessThan(0.0004);
  });

  it("are cheap: days without their seconds, minutes without searching", () => {
    const timed = (interval: Interval, fromMs: number, toMs: number): number => {
      const started = process.hrtime.bigint();
      const count = bars("GC", interval, fromMs, toMs, 3).length;
      const microseconds = Number(process.hrtime.bigint() - started) / count / 1_000;
      console.info(`${interval}: ${count} bars, ${microseconds.toFixed(1)} µs each under the test runner`);
      return count;
    };
    expect(timed("1d", Date.UTC(2016, 0, 1), Date.UTC(2026, 0, 1))).toBe(3_653);
    expect(timed("1m", Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 8))).toBe(7 * 1_440);
  });
});
