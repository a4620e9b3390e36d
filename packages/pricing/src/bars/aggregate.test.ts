import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Interval } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { Decimal } from "../number/exact.ts";
import { addedUp, aggregateBars } from "./aggregate.ts";
import type { BarRow } from "./bar.ts";

const T = Date.UTC(2026, 10, 20, 14);
const minute = (offset: number, figures: Partial<BarRow> = {}): BarRow => ({
  symbol: "GC",
  interval: "1m",
  barStartMs: T + offset * 60_000,
  open: "100",
  high: "101",
  low: "99",
  close: "100.5",
  volume: "7",
  isClosed: true,
  sourceId: "composed",
  ...figures,
});

describe("aggregateBars", () => {
  it("takes the first open, the last close, the extremes and the exact sum", () => {
    const rows = [
      minute(0, { open: "99.90", volume: "0.1" }),
      minute(1, { high: "1000.00", volume: "0.2" }),
      minute(4, { low: "9.99", close: "55.50", volume: null }),
    ];
    expect(aggregateBars(rows, "5m")).toEqual([
      minute(0, { interval: "5m", open: "99.90", high: "1000.00", low: "9.99", close: "55.50", volume: "0.3" }),
    ]);
  });

  it("has no volume where no row states one, and exact ones beyond what a float holds", () => {
    expect(aggregateBars([minute(0, { volume: null }), minute(1, { volume: null })], "5m")[0]?.volume).toBeNull();
    const large = [minute(0, { volume: "9007199254740993" }), minute(1, { volume: "0.01" }), minute(2, { volume: "5" })];
    expect(aggregateBars(large, "5m")[0]?.volume).toBe("9007199254740998.01");
  });

  it("knows only the close of a group in which one row has nothing else", () => {
    const unknown = { open: null, high: null, low: null };
    for (const place of [0, 1, 2]) {
      const rows = [0, 1, 2].map((offset) => minute(offset, offset === place ? { ...unknown, close: "98" } : {}));
      const [bar, next] = aggregateBars([...rows, minute(5)], "5m");
      expect(bar).toMatchObject({ ...unknown, close: place === 2 ? "98" : "100.5", volume: "21" });
      expect(next).toMatchObject({ open: "100", high: "101", low: "99" });
    }
  });

  it("closes a group that a later one follows, even an incomplete one", () => {
    const bars = aggregateBars([minute(1), minute(7)], "5m");
    expect(bars.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it("closes the last group when its rows reach its end, or the clock does", () => {
    expect(aggregateBars([minute(0), minute(4)], "5m")[0]?.isClosed).toBe(true);
    expect(aggregateBars([minute(0), minute(4, { isClosed: false })], "5m")[0]?.isClosed).toBe(false);
    expect(aggregateBars([minute(0)], "5m", T + 299_999)[0]?.isClosed).toBe(false);
    expect(aggregateBars([minute(0)], "5m", T + 300_000)[0]?.isClosed).toBe(true);
  });

  it("finds the extremes of figures in any form", () => {
    const figures = [
      "100.5",
      "99.95",
      "1000",
      "999.9",
      "100.50",
      "0.5",
      "00100.5",
      "1.0",
      "-1.5",
      "-2.5",
      "1.05",
      "12345.678901234567890123",
    ];
    for (const one of figures) {
      for (const other of figures) {
        const [bar] = aggregateBars([minute(0, { high: one, low: one }), minute(1, { high: other, low: other })], "5m");
        const [low, high] = new Decimal(one).gt(other) ? [other, one] : [one, other];
        expect(
          [bar?.high, bar?.low].map((figure) => new Decimal(figure ?? "").toFixed()),
          `${one} and ${other}`,
        ).toEqual([high, low].map((figure) => new Decimal(figure).toFixed()));
      }
    }
  });

  it("refuses rows out of order and rows longer than the interval", () => {
    expect(() => aggregateBars([minute(1), minute(0)], "5m")).toThrow(RangeError);
    expect(() => aggregateBars([minute(1), minute(1)], "5m")).toThrow(RangeError);
    const row = minute(1);
    expect(() => aggregateBars([row, row], "5m")).toThrow(RangeError);
    expect(() => aggregateBars([minute(0, { interval: "1h" })], "5m")).toThrow(RangeError);
  });

  it("returns nothing for no rows", () => {
    expect(aggregateBars([], "1d")).toEqual([]);
  });
});

describe("addedUp", () => {
  it("adds up each bar on its own, and closes one by its rows or the clock alone", () => {
    const rows = [minute(0), minute(3, { isClosed: false }), minute(5), minute(9), minute(10)];
    const bars = addedUp(rows, "5m", T + 11 * 60_000);
    expect([...bars].map(([startMs, { isClosed }]) => [(startMs - T) / 60_000, isClosed])).toEqual([
      [0, false],
      [5, true],
      [10, false],
    ]);
    expect(bars.get(T)).toEqual(aggregateBars(rows.slice(0, 2), "5m")[0]);
    expect(addedUp(rows, "5m", T + 15 * 60_000).get(T + 10 * 60_000)?.isClosed).toBe(true);
    expect(addedUp([], "5m").size).toBe(0);
  });
});

const folder = new URL("../../../../../shared/data/bars-mt5/", import.meta.url);
const broker = existsSync(folder);
if (!broker) console.log("skipped: the broker's bars are not here (../shared/data/bars-mt5)");

describe.skipIf(!broker)("a broker's own bars", { meta: { needs: "no ../shared/data beside the repository" } }, () => {
  const readBars = (name: string, interval: Interval): BarRow[] => {
    const raw = readFileSync(new URL(name, folder));
    const lines = (name.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8").trim().split(/\r?\n/).slice(1);
    return lines.map((line) => {
      const [time = "", open = "", high = "", low = "", close = "", volume = ""] = line.split(",");
      const barStartMs = Date.parse(`${time.length === 10 ? `${time} 00:00:00` : time}Z`.replace(" ", "T"));
      return { symbol: "XAU-USD-SPOT", interval, barStartMs, open, high, low, close, volume, isClosed: true, sourceId: "broker" };
    });
  };
  const byValue = ({ barStartMs, open, high, low, close, volume }: BarRow) => ({
    barStartMs,
    figures: [open, high, low, close, volume].map((figure) => new Decimal(figure ?? "none").toFixed()),
  });
  /**
   * Complete groups: without the first and last, which the files may cut, and without the broker's last bar, which was forming.
   */
  const compare = (
    fineFile: string,
    fine: Interval,
    coarseFile: string,
    coarse: Interval,
  ): { agree: number; differ: BarRow[] } => {
    const theirs = new Map(
      readBars(coarseFile, coarse)
        .slice(0, -1)
        .map((bar) => [bar.barStartMs, byValue(bar)]),
    );
    const ours = aggregateBars(readBars(fineFile, fine), coarse)
      .slice(1, -1)
      .filter(({ barStartMs }) => theirs.has(barStartMs));
    const differ = ours.filter((bar) => JSON.stringify(byValue(bar)) !== JSON.stringify(theirs.get(bar.barStartMs)));
    return { agree: ours.length - differ.length, differ };
  };

  it.each([
    ["XAUUSD_M1.csv.gz", "1m", "XAUUSD_M5.csv.gz", "5m", 3_900],
    ["XAUUSD_M1.csv.gz", "1m", "XAUUSD_H1.csv.gz", "1h", 330],
    ["XAUUSD_H1.csv.gz", "1h", "XAUUSD_D1.csv", "1d", 860],
  ] as const)(
    "of %s (%s) aggregate to those of %s (%s) to the digit, volume included",
    (fineFile, fine, coarseFile, coarse, atLeast) => {
      const { agree, differ } = compare(fineFile, fine, coarseFile, coarse);
      expect(differ.map(byValue)).toEqual([]);
      expect(agree).toBeGreaterThanOrEqual(atLeast);
    },
  );
});
