/** The rule for handing over and the rule for clocks, one case at a time; the model of `writer-lease.test.ts` has them together. */
import { expect, test } from "vitest";
import { computesAfterMs, Handover } from "./handover.ts";

const TIMING = { ttlMs: 10_000 };
const SECOND_MS = 1_000;

/** Fails once a second, hearing what is given, and returns the second in which it steps down; null if it does not. */
const stepsDownAfter = (handover: Handover, announced: (second: number) => string | null, seconds = 30): number | null => {
  for (let second = 0; second <= seconds; second += 1)
    if (handover.failed(announced(second), second * SECOND_MS, TIMING)) return second;
  return null;
};

test("a leader whose writes fail for a whole lease steps down when a standby reaches the store", () => {
  expect(stepsDownAfter(new Handover(), (second) => `said ${second}`)).toBe(10);
});

test("it stays without a standby, and with one that has fallen silent", () => {
  expect(stepsDownAfter(new Handover(), () => null)).toBeNull();
  expect(stepsDownAfter(new Handover(), () => "said long ago")).toBeNull();
  expect(stepsDownAfter(new Handover(), (second) => `said ${Math.min(second, 3)}`)).toBeNull();
});

test("it steps down for a standby that comes later, and when the announcement is read again after a while", () => {
  expect(stepsDownAfter(new Handover(), (second) => (second < 15 ? null : `said ${second}`))).toBe(15);
  expect(stepsDownAfter(new Handover(), (second) => (second % 3 === 0 ? `said ${second}` : null))).toBe(12);
});

test("a successful write restarts the count, and forgets earlier announcements", () => {
  const handover = new Handover();
  expect(stepsDownAfter(handover, (second) => `said ${second}`, 9)).toBeNull();
  handover.wrote();
  expect(handover.failed("said 9", 10 * SECOND_MS, TIMING)).toBe(false);
  expect(handover.failed("said 9", 21 * SECOND_MS, TIMING)).toBe(false);
  expect(handover.failed("said 10", 22 * SECOND_MS, TIMING)).toBe(true);
});

test("a new leader waits for a clock that was ahead by up to five minutes, and for no other", () => {
  const nowMs = 1_000_000;
  expect(computesAfterMs(nowMs + 60_000, nowMs)).toBe(nowMs + 60_000);
  expect(computesAfterMs(nowMs + 300_000, nowMs)).toBe(nowMs + 300_000);
  for (const newestMs of [nowMs, nowMs - 1, nowMs + 300_001, Number.NEGATIVE_INFINITY])
    expect(computesAfterMs(newestMs, nowMs)).toBe(Number.NEGATIVE_INFINITY);
});
