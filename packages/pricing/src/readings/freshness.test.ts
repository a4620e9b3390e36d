import { describe, expect, it } from "vitest";
import { type FrozenRun, frozenRun, isFrozen } from "./freshness.ts";

const MINUTE = 60_000;
const run = (count: number, everyMs: number): FrozenRun => {
  let held = frozenRun(null, "4003.20", 0);
  for (let reading = 1; reading < count; reading++) held = frozenRun(held, "4003.20", reading * everyMs);
  return held;
};

describe("a run of equal readings", () => {
  it("counts them from the first, and restarts with another figure", () => {
    expect(run(3, MINUTE)).toEqual({ value: "4003.20", sinceMs: 0, readings: 3 });
    expect(frozenRun(run(3, MINUTE), "4003.21", 3 * MINUTE)).toEqual({ value: "4003.21", sinceMs: 3 * MINUTE, readings: 1 });
  });

  it("is frozen after half an hour over ten readings, while the market is open", () => {
    expect(isFrozen(run(31, MINUTE), 30 * MINUTE, true)).toBe(true);
    expect(isFrozen(run(31, MINUTE), 30 * MINUTE - 1, true)).toBe(false);
    expect(isFrozen(run(9, 10 * MINUTE), 90 * MINUTE, true)).toBe(false);
    expect(isFrozen(run(31, MINUTE), 30 * MINUTE, false)).toBe(false);
  });

  it("is frozen by another limit where one is given", () => {
    expect(isFrozen(run(2, MINUTE), 2 * MINUTE, true, { forMs: MINUTE, readings: 2 })).toBe(true);
  });
});
