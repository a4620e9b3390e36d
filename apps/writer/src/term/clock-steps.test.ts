import { expect, it } from "vitest";
import { ClockSteps } from "./clock-steps.ts";

it("a clock's steps are those that a clock which nobody can set does not make", () => {
  let monotonicMs = 5;
  const steps = new ClockSteps(() => monotonicMs);
  const after = (passedMs: number, wallMs: number): number => {
    monotonicMs += passedMs;
    return steps.look(wallMs);
  };
  expect(after(0, 1_000_000)).toBe(0);
  // A busy process looks late, and a clock that is slewed differs by milliseconds.
  expect(after(30_000, 1_030_040)).toBe(0);
  expect(after(1_000, 1_091_040)).toBe(60_000);
  expect(after(1_000, 1_092_040)).toBe(0);
  expect(after(1_000, 1_033_040)).toBe(-60_000);
});
