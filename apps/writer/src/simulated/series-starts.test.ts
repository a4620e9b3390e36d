/** How far back the simulated history goes. */
import { describe, expect, it } from "vitest";
import { seriesStarts } from "./series-starts.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:30Z");
const XAU = "XAU-USD-SPOT";
const at = (iso: string): number => Date.parse(iso);

describe("a series of the simulated past", () => {
  it("begins in 1996 by the day, and the given days ago at midnight below a day", () => {
    expect(seriesStarts([], NOW_MS, 30)(XAU, "1d")).toBe(at("1996-01-01T00:00:00Z"));
    expect(seriesStarts([], NOW_MS, 30)(XAU, "1h")).toBe(at("2026-10-21T00:00:00Z"));
    expect(seriesStarts([], NOW_MS, 1)(XAU, "1m")).toBe(at("2026-11-19T00:00:00Z"));
  });

  it("continues from its newest bar after a stop longer than the history of a new store", () => {
    const latestStartMs = at("2026-11-10T07:00:00Z");
    const starts = seriesStarts([{ symbol: XAU, interval: "1h", latestStartMs }], NOW_MS, 1);
    expect(starts(XAU, "1h")).toBe(latestStartMs);
    expect(starts("XAG-USD-SPOT", "1h")).toBe(at("2026-11-19T00:00:00Z"));
  });

  it("leaves out what no caller can read any more", () => {
    const stored = [
      { symbol: XAU, interval: "1h", latestStartMs: at("2026-05-01T07:00:00Z") },
      { symbol: XAU, interval: "1d", latestStartMs: at("2026-05-01T00:00:00Z") },
    ] as const;
    expect(seriesStarts(stored, NOW_MS, 1)(XAU, "1h")).toBe(at("2026-10-21T00:00:00Z"));
    expect(seriesStarts(stored, NOW_MS, 1)(XAU, "1d")).toBe(at("2026-05-01T00:00:00Z"));
  });
});
