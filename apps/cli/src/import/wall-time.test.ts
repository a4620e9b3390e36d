import { describe, expect, it } from "vitest";
import { offsetMsOf, wallMsOf } from "./wall-time.ts";

describe("wallMsOf", () => {
  it("assembles a reading to the millisecond", () => {
    expect(wallMsOf("2025", "05", "15", "07", "35", "09", "250")).toBe(Date.UTC(2025, 4, 15, 7, 35, 9, 250));
    expect(wallMsOf("2024", "02", "29")).toBe(Date.UTC(2024, 1, 29));
  });

  it.each([
    ["2026", "02", "30"],
    ["2026", "13", "01"],
    ["2026", "00", "10"],
    ["2025", "02", "29"],
    ["0025", "05", "15"],
    ["2025", "05", "15", "24"],
    ["2025", "05", "15", "07", "60"],
    ["2025", "05", "15", "07", "35", "60"],
  ])("does not accept %s-%s-%s %s:%s:%s", (...parts) => {
    const [year, month, day, hour, minute, second] = parts;
    expect(wallMsOf(year, month, day, hour, minute, second)).toBeNaN();
  });
});

describe("offsetMsOf", () => {
  it.each([
    ["+02:00", 7_200_000],
    ["-0500", -18_000_000],
    ["+5:30", 19_800_000],
    ["UTC+3", 10_800_000],
    ["GMT-0330", -12_600_000],
    ["Z", 0],
    ["+14:00", 50_400_000],
  ])("reads %s", (text, ms) => {
    expect(offsetMsOf(text)).toBe(ms);
  });

  it.each(["", "2", "02:00", "+15:00", "+02:60", "EST", "America/New_York", "+02:00 "])("refuses %j", (text) => {
    expect(offsetMsOf(text)).toBeNull();
  });
});
