import { INTERVALS } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../number/exact.ts";
import { aggregateBars } from "./aggregate.ts";
import { applyTick, type BarRow, type BarTick, barEnd, bucketStart, closeDue } from "./bar.ts";

const T = Date.UTC(2026, 10, 20, 14, 3);
const minutes = { symbol: "XAU-USD-SPOT", interval: "1m", sourceId: "composed" } as const;

describe("bucketStart", () => {
  it("is the start of each interval in UTC", () => {
    const at = Date.UTC(2026, 10, 20, 15, 47, 31, 250);
    expect(INTERVALS.map((interval) => new Date(bucketStart(at, interval)).toISOString().slice(11, 19))).toEqual([
      "15:47:00",
      "15:45:00",
      "15:45:00",
      "15:30:00",
      "15:00:00",
      "14:00:00",
      "12:00:00",
      "00:00:00",
    ]);
  });

  it("is the instant itself at a start, also before 1970", () => {
    expect(bucketStart(Date.UTC(2026, 10, 20), "1d")).toBe(Date.UTC(2026, 10, 20));
    expect(bucketStart(Date.UTC(1969, 11, 31, 23), "1d")).toBe(Date.UTC(1969, 11, 31));
  });
});

describe("applyTick", () => {
  const first = applyTick(null, { atMs: T + 1_000, price: "4003.20" }, minutes).forming;

  it("leaves open, high and low unknown in a bar of which only the close was known", () => {
    const unknown = { open: null, high: null, low: null };
    const { forming } = applyTick({ ...first, ...unknown }, { atMs: T + 2_000, price: "4010" }, minutes);
    expect(forming).toMatchObject({ ...unknown, close: "4010" });
  });

  it("opens a bar at its own start", () => {
    expect(first).toEqual({
      ...minutes,
      barStartMs: T,
      open: "4003.20",
      high: "4003.20",
      low: "4003.20",
      close: "4003.20",
      volume: null,
      isClosed: false,
    });
  });

  it("moves high, low and close within a bar, keeping the open", () => {
    const higher = applyTick(first, { atMs: T + 2_000, price: "10000" }, minutes).forming;
    const lower = applyTick(higher, { atMs: T + 59_999, price: "999.5" }, minutes).forming;
    expect(lower).toMatchObject({ open: "4003.20", high: "10000", low: "999.5", close: "999.5", isClosed: false });
  });

  it("closes the bar with the first tick of a later one, and makes no bar for intervals between", () => {
    const step = applyTick(first, { atMs: T + 180_000, price: "4010" }, minutes);
    expect(step.closed).toEqual({ ...first, isClosed: true });
    expect(step.forming).toMatchObject({ barStartMs: T + 180_000, open: "4010", isClosed: false });
  });

  it("is not moved by a tick from before the forming bar", () => {
    expect(applyTick(first, { atMs: T - 1, price: "1" }, minutes)).toEqual({ forming: first });
  });

  it("sums volumes exactly, and has none when no tick states one", () => {
    const gold = { symbol: "GC", interval: "1d", sourceId: "composed" } as const;
    const ticks: BarTick[] = [
      { atMs: T, price: "1", volume: "0.1" },
      { atMs: T, price: "1" },
      { atMs: T, price: "1", volume: "0.2" },
    ];
    const sum = ticks.reduce<BarRow | null>((bar, tick) => applyTick(bar, tick, gold).forming, null);
    expect(sum?.volume).toBe("0.3");
    expect(first.volume).toBeNull();
  });
});

describe("closeDue", () => {
  const { forming } = applyTick(null, { atMs: T + 1_000, price: "4003.20" }, minutes);

  it("closes a bar at its end, without a tick", () => {
    expect(closeDue(forming, T + 59_999)).toBeNull();
    expect(closeDue(forming, T + 60_000)).toEqual({ ...forming, isClosed: true });
    expect(closeDue(null, T)).toBeNull();
  });
});

describe("bars of all intervals", () => {
  const ticks = fc
    .array(
      fc.record({
        stepMs: fc.integer({ min: 1, max: 5_000_000 }),
        cents: fc.integer({ min: 99_000, max: 101_000 }),
        volume: fc.option(fc.integer({ min: 0, max: 5_000 })),
      }),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    .map((steps) => {
      let atMs = T;
      return steps.map(({ stepMs, cents, volume }): BarTick => {
        atMs += stepMs;
        const written = volume === null ? null : new Decimal(volume).div(10).toFixed();
        return { atMs, price: new Decimal(cents).div(100).toFixed(), volume: written };
      });
    });

  const grow = (list: readonly BarTick[], interval: BarRow["interval"]): BarRow[] => {
    const bars: BarRow[] = [];
    let forming: BarRow | null = null;
    for (const tick of list) {
      const step = applyTick(forming, tick, { ...minutes, interval });
      if (step.closed) bars.push(step.closed);
      forming = step.forming;
    }
    return forming ? [...bars, forming] : bars;
  };
  const byValue = (bar: BarRow) => ({ ...bar, volume: bar.volume === null ? null : new Decimal(bar.volume).toFixed() });

  it("are the same whether made from ticks or from finer bars", () => {
    fc.assert(
      fc.property(ticks, fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }), (list, one, other) => {
        const [fine, coarse] = [INTERVALS[Math.min(one, other)], INTERVALS[Math.max(one, other)]];
        if (!fine || !coarse) throw new Error("within the list");
        const gathered = aggregateBars(grow(list, fine), coarse);
        expect(gathered.map(byValue)).toEqual(grow(list, coarse).map(byValue));
      }),
    );
  });

  it("have each extreme among their own ticks", () => {
    fc.assert(
      fc.property(ticks, (list) => {
        for (const bar of grow(list, "1h")) {
          const inside = list
            .filter(({ atMs }) => atMs >= bar.barStartMs && atMs < barEnd(bar))
            .map(({ price }) => new Decimal(price));
          expect(Decimal.max(...inside).eq(bar.high ?? "")).toBe(true);
          expect(Decimal.min(...inside).eq(bar.low ?? "")).toBe(true);
        }
      }),
    );
  });
});
