/** Which bars a write leaves forming. */
import { HOUR_MS } from "@assay/contract";
import type { BarRow } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { onlyNewestForming } from "./stored-bars.ts";

const bar = (hour: number, change: Partial<BarRow> = {}): BarRow => ({
  symbol: "GC",
  interval: "1h",
  barStartMs: hour * HOUR_MS,
  sourceId: "import:csv",
  isClosed: false,
  open: "10",
  high: "20",
  low: "5",
  close: "15",
  volume: "7",
  ...change,
});
const closed = (hour: number, change: Partial<BarRow> = {}): BarRow => bar(hour, { ...change, isClosed: true });

describe("a write", () => {
  it("closes a stored bar before its own, and leaves its newest forming", () => {
    expect(onlyNewestForming([bar(7)], [bar(8)])).toEqual([closed(7), bar(8)]);
  });

  it("closes its own bars before a newer one, stored or its own", () => {
    expect(onlyNewestForming([bar(9)], [bar(7), bar(8)])).toEqual([closed(7), closed(8)]);
  });

  it("compares bars of the same interval, and writes no stored bar that does not change", () => {
    const stored = [closed(6), bar(4, { interval: "4h" })];
    expect(onlyNewestForming(stored, [bar(7)])).toEqual([bar(7)]);
  });

  it("writes a bar over the stored one of its time", () => {
    expect(onlyNewestForming([bar(7, { close: "12" })], [bar(7), bar(8)])).toEqual([closed(7), bar(8)]);
  });
});
