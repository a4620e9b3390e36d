import { describe, expect, test } from "vitest";
import { untilNextSecondMs } from "./term-clock.ts";

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
