import fc from "fast-check";
import { expect, test } from "vitest";
import { FrameBudget } from "./frame-budget.ts";

test("whatever frames are sent, no window of the service ever holds more than its limit", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 100, size: "max" }), (pauses) => {
      const budget = new FrameBudget(20, 10_000);
      const sent: number[] = [];
      let nowMs = 0;
      for (const pauseMs of pauses) {
        nowMs += pauseMs;
        nowMs += budget.waitMs(2, nowMs);
        for (let frame = 0; frame < 2; frame += 1) {
          budget.spend(nowMs);
          sent.push(nowMs);
        }
        expect(sent.filter((atMs) => atMs > nowMs - 10_000).length).toBeLessThanOrEqual(16);
      }
    }),
  );
});

test("what is within the budget does not wait", () => {
  const budget = new FrameBudget(20, 10_000);
  for (let change = 0; change < 8; change += 1) {
    expect(budget.waitMs(2, 0)).toBe(0);
    budget.spend(0);
    budget.spend(0);
  }
  expect(budget.waitMs(2, 0)).toBe(11_000);
  expect(budget.waitMs(2, 11_000)).toBe(0);
});
