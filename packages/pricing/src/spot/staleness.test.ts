import { describe, expect, it } from "vitest";
import { type StaleReason, staleness } from "./staleness.ts";
import type { StandingPrice } from "./standing-price.ts";

const UNTIL = 1_000;
const live = { role: "live", isStale: false } as const;
const dollar = { role: "identity", isStale: false } as const;
const judged = (
  basis: StandingPrice["basis"] | null,
  fx: Parameters<typeof staleness>[1],
  atMs: number,
  isOpen: boolean,
): StaleReason | null => {
  const stale = staleness(basis && { basis, freshUntilMs: UNTIL }, fx, atMs, isOpen);
  return stale.isStale ? stale.reason : null;
};

describe("staleness", () => {
  it.each<[string, Parameters<typeof staleness>[1], number, boolean, StaleReason | null]>([
    ["a fresh price in dollars", dollar, UNTIL, true, null],
    ["a fresh price while the market is closed", dollar, UNTIL, false, null],
    ["a fresh price at a fresh live rate", live, UNTIL, true, null],
    ["a fresh price without a rate", null, UNTIL, true, "fx_fallback"],
    ["a fresh price at a peg", { role: "peg", isStale: false }, UNTIL, true, null],
    ["a fresh price at the daily reference", { role: "reference", isStale: false }, UNTIL, true, "fx_fallback"],
    ["a fresh price at a stale live rate", { role: "live", isStale: true }, UNTIL, true, "fx_fallback"],
    ["a price past its window while the market is open", live, UNTIL + 1, true, "feed_down"],
    ["a price past its window while the market is closed", live, UNTIL + 1, false, "market_closed"],
    ["a price past its window at the daily reference", { role: "reference", isStale: false }, UNTIL + 1, true, "feed_down"],
  ])("of %s", (_, fx, atMs, marketOpen, reason) => {
    expect(judged("primary", fx, atMs, marketOpen)).toBe(reason);
    expect(judged("council", fx, atMs, marketOpen)).toBe(reason);
    expect(judged("close", fx, atMs, marketOpen)).toBe(reason);
  });

  it.each<[string, Parameters<typeof judged>, StaleReason | null]>([
    ["no price in an open market", [null, live, UNTIL, true], "feed_down"],
    ["no price in a closed market", [null, live, UNTIL, false], "market_closed"],
    ["neither price nor rate", [null, null, UNTIL, false], "market_closed"],
    ["an old price without a rate", ["primary", null, UNTIL + 1, true], "feed_down"],
    ["a settlement within its window, the market being closed", ["settlement", dollar, UNTIL, false], null],
    ["a settlement past its window", ["settlement", dollar, UNTIL + 1, true], "feed_down"],
    ["a settlement past its window while the market is closed", ["settlement", dollar, UNTIL + 1, false], "feed_down"],
  ])("of %s", (_, price, reason) => {
    expect(judged(...price)).toBe(reason);
  });
});
