/** Other days: how a clock is moved. */
import { describe, expect, it } from "vitest";
import { environmentOn } from "./day.mjs";

const NOW_MS = Date.parse("2026-11-25T12:00:00Z");

describe("another day", () => {
  it.each([
    ["2026-11-26T12:00:00Z", "+86400"],
    ["2026-11-25T12:00Z", "+0"],
    ["2026-11-24T11:59:59Z", "-86401"],
  ])("%s is an offset in seconds that every process shares, and leaves durations true", (day, offset) => {
    expect(environmentOn(day, "/lib.so", NOW_MS)).toEqual({
      TEST_DAY: day,
      LD_PRELOAD: "/lib.so",
      FAKETIME: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    });
  });

  it.each(["", "2027-02-28", "2027-02-31T99:00:00Z", "tomorrow", "2027-02-28T23:30:00+01:00"])("is refused as %j", (day) => {
    expect(() => environmentOn(day, "/lib.so", NOW_MS)).toThrow(/TEST_DAY must be an instant/);
  });
});
