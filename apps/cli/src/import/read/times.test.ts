import { describe, expect, it } from "vitest";
import { zoneNamed } from "../testing/trial.ts";
import { offsetMsOf, wallMsOf } from "./times.ts";
import { readZone } from "./zone.ts";

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

const NEVER = Number.NEGATIVE_INFINITY;
const at = (zone: string, wall: string, after: string | null = null): string => {
  const ms = zoneNamed(zone).instantOf(Date.parse(`${wall}Z`), after ? Date.parse(after) : NEVER);
  return Number.isNaN(ms) ? "none" : new Date(ms).toISOString();
};

describe("a zone", () => {
  it("is a fixed distance from UTC all year round", () => {
    expect(at("-05:00", "2025-01-15T02:35:00")).toBe("2025-01-15T07:35:00.000Z");
    expect(at("-05:00", "2025-07-15T02:35:00")).toBe("2025-07-15T07:35:00.000Z");
    expect(at("+05:30", "2025-07-15T13:05:00")).toBe("2025-07-15T07:35:00.000Z");
  });

  it("keeps a place's daylight saving", () => {
    expect(at("America/New_York", "2025-01-15T02:35:00")).toBe("2025-01-15T07:35:00.000Z");
    expect(at("America/New_York", "2025-07-15T03:35:00")).toBe("2025-07-15T07:35:00.000Z");
    expect(at("Europe/Athens", "2025-03-30T02:59:00")).toBe("2025-03-30T00:59:00.000Z");
    expect(at("Europe/Athens", "2025-03-30T04:00:00")).toBe("2025-03-30T01:00:00.000Z");
  });

  it("does not accept a reading that clocks skipped", () => {
    expect(at("Europe/Athens", "2025-03-30T03:00:00")).toBe("none");
    expect(at("Europe/Athens", "2025-03-30T03:59:00")).toBe("none");
    expect(at("America/New_York", "2025-03-09T02:30:00")).toBe("none");
  });

  it("tells the two runs of a repeated hour apart by what came before", () => {
    expect(at("America/New_York", "2025-11-02T01:30:00")).toBe("2025-11-02T05:30:00.000Z");
    expect(at("America/New_York", "2025-11-02T01:30:00", "2025-11-02T05:29:00Z")).toBe("2025-11-02T05:30:00.000Z");
    expect(at("America/New_York", "2025-11-02T01:30:00", "2025-11-02T05:59:00Z")).toBe("2025-11-02T06:30:00.000Z");
  });

  it("is a city's clock set ahead: the brokers' day that ends at 17:00 in New York", () => {
    const broker = "America/New_York+07:00";
    expect(at(broker, "2025-01-15T09:35:00")).toBe("2025-01-15T07:35:00.000Z");
    // Between the American and the European change it is not Athens' clock.
    expect(at(broker, "2025-03-20T10:35:00")).toBe("2025-03-20T07:35:00.000Z");
    expect(at("Europe/Athens", "2025-03-20T09:35:00")).toBe("2025-03-20T07:35:00.000Z");
  });

  it("agrees with the zone's own clocks for every half hour of a year", () => {
    const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: "Australia/Lord_Howe", dateStyle: "short", timeStyle: "medium" });
    const zone = zoneNamed("Australia/Lord_Howe");
    let previousMs = NEVER;
    for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2026, 0, 1); ms += 1_800_000) {
      const wallMs = Date.parse(`${clock.format(ms).replace(" ", "T")}Z`);
      const instantMs = zone.instantOf(wallMs, previousMs);
      if (instantMs !== ms) expect(new Date(instantMs).toISOString()).toBe(new Date(ms).toISOString());
      previousMs = ms;
    }
  });

  it.each(["Mars/Olympus", "EDT", "", "+15:00", "America/New_York+7", "+02:00+07:00", "UTC+07:00x"])("cannot be %j", (name) => {
    expect(readZone(name)).toBeNull();
  });
});
