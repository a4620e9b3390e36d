/** When the European Central Bank is polled, in winter and summer, at weekends, and over a whole day. */
import { MINUTE_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { ecbDelayMs } from "./ecb-schedule.ts";

const minutes = (at: string) => ecbDelayMs(Date.parse(at)) / MINUTE_MS;

describe("ecb schedule", () => {
  it.each([
    ["winter, the window opens", "2026-11-20T15:55:00+01:00", 15],
    ["winter, in the window", "2026-11-20T16:59:59+01:00", 15],
    ["winter, after it", "2026-11-19T17:00:00+01:00", 360],
    ["summer, in the window", "2026-07-09T16:00:00+02:00", 15],
    ["summer, an hour before it", "2026-07-09T14:55:00+02:00", 60],
    ["the morning", "2026-11-20T08:00:00+01:00", 360],
    ["Friday evening", "2026-11-20T17:30:00+01:00", 360],
    ["Saturday in what would be the window", "2026-11-21T16:00:00+01:00", 360],
    ["Sunday night", "2026-11-22T23:00:00+01:00", 360],
    ["Monday before the window", "2026-11-23T12:00:00+01:00", 235],
  ])("waits correctly: %s", (_what, at, expected) => {
    expect(minutes(at)).toBe(expected);
  });

  it("is in the window soon after four on every weekday of a year, however the clocks change", () => {
    const days = new Set<string>();
    const end = Date.parse("2027-01-01T00:00:00Z");
    for (let atMs = Date.parse("2026-01-01T00:00:00Z"); atMs < end; atMs += ecbDelayMs(atMs)) {
      const local = new Date(atMs).toLocaleString("sv-SE", { timeZone: "Europe/Berlin" });
      const [day = "", time = ""] = local.split(" ");
      const isWeekday = ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
      if (isWeekday && time >= "16:00:00" && time <= "16:15:00") days.add(day);
    }
    expect(days.size).toBe(261);
  });
});
