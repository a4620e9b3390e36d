/** Which coarser bars a file has only some rows of. */
import { describe, expect, it } from "vitest";
import { holesOf } from "./holes.ts";
import { StartSet } from "./start-set.ts";

const at = (time: string): number => Date.parse(`2026-11-${time}:00Z`);
const gold = { symbol: "XAU-USD-SPOT", interval: "1m" } as const;
const countsOf = (...gaps: readonly (readonly [string, string])[]) =>
  Object.fromEntries(
    holesOf(
      gold,
      gaps.map(([from, until]) => ({ fromMs: at(from), untilMs: at(until) })),
    ),
  );

describe("bars with a hole", () => {
  it("are counted once at every interval, and not where no row is left", () => {
    expect(countsOf(["18T10:02", "18T10:04"], ["18T10:07", "18T10:08"])).toEqual({
      ...{ "5m": 2, "15m": 1, "30m": 1, "1h": 1, "2h": 1, "4h": 1, "1d": 1 },
    });
    // Two whole five minutes are missing: there is no bar of them to have a hole.
    expect(countsOf(["18T10:05", "18T10:15"])).toEqual({ "15m": 1, "30m": 1, "1h": 1, "2h": 1, "4h": 1, "1d": 1 });
  });

  it("are none where the market is closed: the daily break, the weekend, and a fund's night", () => {
    expect(countsOf(["18T22:00", "18T23:00"], ["20T22:00", "22T23:00"])).toEqual({});
    const night = [{ fromMs: at("18T21:00"), untilMs: at("19T14:30") }];
    expect(holesOf({ symbol: "GLD", interval: "1m" }, night).size).toBe(0);
  });

  it("are found between the rows of a file in any order", () => {
    const starts = new StartSet(60_000);
    for (const minute of [9, 0, 1, 4, 5]) starts.add(minute * 60_000);
    expect([...starts.gaps(0, 9 * 60_000)]).toEqual([
      { fromMs: 120_000, untilMs: 240_000 },
      { fromMs: 360_000, untilMs: 540_000 },
    ]);
  });
});
