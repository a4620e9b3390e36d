import { describe, expect, it } from "vitest";
import { type StaleReason, staleness } from "./staleness.ts";

const UNTIL = 1_000;
const live = { role: "live", isStale: false } as const;

describe("staleness", () => {
  it.each<[string, Parameters<typeof staleness>[1], number, boolean, StaleReason | null]>([
    ["a fresh price in dollars", undefined, UNTIL, true, null],
    ["a fresh price while the market is closed", undefined, UNTIL, false, null],
    ["a fresh price at a fresh live rate", live, UNTIL, true, null],
    ["a fresh price at the dollar's own rate", { role: "identity", isStale: false }, UNTIL, true, null],
    ["a fresh price at a peg", { role: "peg", isStale: false }, UNTIL, true, null],
    ["a fresh price at the daily reference", { role: "reference", isStale: false }, UNTIL, true, "fx_fallback"],
    ["a fresh price at a stale live rate", { role: "live", isStale: true }, UNTIL, true, "fx_fallback"],
    ["a price past its window while the market is open", live, UNTIL + 1, true, "feed_down"],
    ["a price past its window while the market is closed", live, UNTIL + 1, false, "market_closed"],
    ["a price past its window at the daily reference", { role: "reference", isStale: false }, UNTIL + 1, true, "feed_down"],
  ])("of %s", (_, fx, atMs, marketOpen, reason) => {
    const expected = reason === null ? { isStale: false } : { isStale: true, reason };
    expect(staleness({ freshUntilMs: UNTIL }, fx, atMs, marketOpen)).toEqual(expected);
  });
});
