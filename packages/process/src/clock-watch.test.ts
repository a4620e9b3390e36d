import { expect, test } from "vitest";
import { clockSteps } from "./clock-watch.ts";

test("a clock that is set is noticed once, in either direction, and one that only drifts is not", () => {
  let [wallMs, elapsedMs] = [Date.UTC(2026, 10, 20, 14), 5_000];
  const look = clockSteps(
    () => wallMs,
    () => elapsedMs,
  );
  const after = (passedMs: number, setMs: number): number => {
    elapsedMs += passedMs;
    wallMs += passedMs + setMs;
    return look();
  };
  expect([after(1_000, 0), after(1_000, 3_600_000), after(1_000, 0), after(90_000, -60_000), after(1_000, 0)]).toEqual([
    0, 3_600_000, 0, -60_000, 0,
  ]);
  for (let second = 0; second < 100; second += 1) expect(after(1_000, -20)).toBe(0);
});
