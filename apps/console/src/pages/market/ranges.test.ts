import { TIER_NAMES, TIER_REACH } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { INTERVAL_MS, type Interval } from "../../charts/forming.ts";
import { isWithin, MOST, RANGES, rangesOf, shownRange, startMs } from "./ranges.ts";

const INTERVALS = Object.keys(INTERVAL_MS) as Interval[]; // the keys of a literal
const NOW = Date.parse("2026-11-20T14:03:27Z");

describe("the ranges of a chart", () => {
  it("are never empty, and never more bars than one answer has", () => {
    for (const interval of INTERVALS) {
      expect(rangesOf(interval).length, interval).toBeGreaterThan(0);
      if (interval === "1d") continue;
      for (const range of rangesOf(interval))
        expect((NOW - startMs(range, NOW)) / INTERVAL_MS[interval], `${range} of ${interval}`).toBeLessThanOrEqual(MOST);
    }
    expect(rangesOf("1d")).toEqual(["1M", "1Y", "5Y", "max"]);
    expect(rangesOf("1m")).toEqual(["1D"]);
  });

  it("begin within the depth of every tier", () => {
    for (const tier of TIER_NAMES) {
      const { dailyDepthDays } = TIER_REACH[tier];
      const allowed = RANGES.filter((range) => rangesOf("1d").includes(range) && isWithin(range, "1d", dailyDepthDays));
      expect(allowed, tier).toContain("1M");
      for (const range of allowed)
        if (dailyDepthDays !== null) expect(startMs(range, NOW)).toBeGreaterThan(NOW - dailyDepthDays * 86_400_000);
    }
    expect(isWithin("1Y", "1d", TIER_REACH.basic.dailyDepthDays)).toBe(true);
    expect(isWithin("max", "1d", TIER_REACH.basic.dailyDepthDays)).toBe(false);
  });

  it("show what is wanted, else the longest that is offered, and a year at first", () => {
    expect(shownRange(null, "1d", null)).toBe("1Y");
    expect(shownRange(null, "1d", 30)).toBe("1M");
    expect(shownRange(null, "1m", null)).toBe("1D");
    expect(shownRange("max", "1d", null)).toBe("max");
    expect(shownRange("max", "1d", 365)).toBe("1Y");
    expect(shownRange("5Y", "1h", null)).toBe("1M");
  });
});
