/** Forming bars: which ticks they take, and what they continue from. */
import { DAY_MS, HOUR_MS, INTERVALS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { BarKeeper } from "./bar-keeper.ts";
import type { GrowthTick } from "./growth-journal.ts";

const NOON_MS = Date.parse("2026-11-20T12:00:00Z");
const SYMBOL = "XAU-USD-SPOT";

const tick = (price: string, seq = 1): GrowthTick => ({ instrument: SYMBOL, seq, price });
const bar = (change: Partial<BarRow>): BarRow => ({
  symbol: SYMBOL,
  interval: "1h",
  barStartMs: NOON_MS,
  sourceId: "import:ohlc",
  isClosed: true,
  volume: null,
  open: "4000",
  high: "4010",
  low: "3990",
  close: "4005",
  ...change,
});
const none = new Map();

describe("a tick", () => {
  it("that comes late for one interval changes no bar of any", () => {
    const keeper = new BarKeeper("composed");
    keeper.take(SYMBOL, tick("4000"), NOON_MS + 1_000);
    keeper.closeDue(NOON_MS + 60_000);
    expect(keeper.take(SYMBOL, tick("4999"), NOON_MS + 59_000)).toEqual([]);
    expect(keeper.take(SYMBOL, tick("4001"), NOON_MS + 61_000).map(({ high }) => high)).toEqual(INTERVALS.map(() => "4001"));
  });

  it("of a time that an import closed at any interval changes no bar", () => {
    const keeper = new BarKeeper("composed");
    keeper.rebase([bar({})], none);
    expect(keeper.take(SYMBOL, tick("4999"), NOON_MS + HOUR_MS - 1)).toEqual([]);
    expect(keeper.take(SYMBOL, tick("4999"), NOON_MS + HOUR_MS)).toHaveLength(INTERVALS.length);
  });

  it("continues a bar that an import left forming", () => {
    const keeper = new BarKeeper("composed");
    keeper.rebase([bar({ isClosed: false })], none);
    const hour = keeper.take(SYMBOL, tick("4007"), NOON_MS + 1_000).find(({ interval }) => interval === "1h");
    expect(hour).toEqual(bar({ isClosed: false, close: "4007" }));
  });
});

describe("a reported bar", () => {
  it("of the day before is what that day is closed with, also when the new day was reported first", () => {
    const keeper = new BarKeeper("composed");
    const day = bar({ interval: "1d", barStartMs: Date.parse("2026-11-20T00:00:00Z"), sourceId: "reporter" });
    keeper.report({ ...day, isClosed: false });
    keeper.take(SYMBOL, { ...tick("4099"), volume: "7" }, NOON_MS);
    keeper.report({ ...day, barStartMs: day.barStartMs + DAY_MS, isClosed: false });
    const final = keeper.report({ ...day, close: "4001", volume: "900" });
    expect(keeper.closeDue(day.barStartMs + DAY_MS).find(({ interval }) => interval === "1d")).toEqual(final);
  });
});

describe("a rebase", () => {
  it("reapplies what was not stored, and nothing that was", () => {
    const keeper = new BarKeeper("composed");
    keeper.take(SYMBOL, tick("4050", 7), NOON_MS + 1_000);
    keeper.take(SYMBOL, tick("4020", 8), NOON_MS + 2_000);
    const bars = keeper.rebase([bar({ isClosed: false })], new Map([[SYMBOL, 7]]));
    expect(bars.find(({ interval }) => interval === "1h")).toEqual(bar({ isClosed: false, high: "4020", close: "4020" }));
    keeper.committed();
    expect(keeper.rebase([bar({ isClosed: false })], none)).toEqual([]);
  });

  it("closes a bar that was left open behind a later one, and one whose time is over", () => {
    const keeper = new BarKeeper("composed");
    const left = bar({ barStartMs: NOON_MS - 2 * HOUR_MS, isClosed: false });
    const overdue = keeper.rebase(
      [left, bar({ barStartMs: NOON_MS - HOUR_MS, isClosed: false }), bar({ interval: "4h", isClosed: false })],
      none,
    );
    expect([...overdue, ...keeper.closeDue(NOON_MS)]).toEqual([
      { ...left, isClosed: true },
      bar({ barStartMs: NOON_MS - HOUR_MS, isClosed: true }),
    ]);
  });
});
