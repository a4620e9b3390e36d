import { describe, expect, test } from "vitest";
import { isCommitDue, untilNextSecondMs } from "./term-clock.ts";

describe("a writer wakes", () => {
  test.each([
    ["at the next whole second", 10_000, 10_040, 960],
    ["at the second its timer fired early for", 10_999, 10_999, 1],
    ["at once when a write took longer than the second", 10_000, 11_300, 0],
    ["within a second after the clock was set back", 10_000, 4_000, 1_000],
  ])("%s", (_, handledMs, nowMs, waitMs) => {
    expect(untilNextSecondMs(handledMs, nowMs)).toBe(waitMs);
  });
});

describe("a moment is committed", () => {
  test.each([
    ["at first", 12_000, Number.NEGATIVE_INFINITY, 5_000, true],
    ["not within the interval of the last", 14_999, 12_000, 5_000, false],
    ["in the next interval", 15_000, 12_000, 5_000, true],
    ["after the clock was set back", 4_000, 12_000, 5_000, true],
    ["with every moment otherwise", 12_000, 12_000, undefined, true],
  ])("%s", (_, nowMs, committedMs, everyMs, isDue) => {
    expect(isCommitDue(nowMs, committedMs, everyMs)).toBe(isDue);
  });
});
