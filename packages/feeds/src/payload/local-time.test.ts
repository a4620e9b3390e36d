/** Local times of a shop, and pages dated with a local calendar day. */
import { describe, expect, it } from "vitest";
import { DATE_THEN_TIME, DAY_FIRST, localInstant, withinDay } from "./local-time.ts";

const HONG_KONG = localInstant("Asia/Hong_Kong", DATE_THEN_TIME);
const SAIGON = localInstant("Asia/Ho_Chi_Minh", DAY_FIRST);
const WORDS = localInstant(
  "Asia/Karachi",
  /^(?<day>\d\d)-(?<month>[A-Za-z]{3})-(?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d) (?<half>AM|PM)$/,
);
const iso = (schema: typeof HONG_KONG, text: unknown) => new Date(schema.parse(text)).toISOString();

describe("a time without a zone", () => {
  it("is read by the city's clock, whatever the form", () => {
    expect(iso(HONG_KONG, "2026-08-10 16:49:33")).toBe("2026-08-10T08:49:33.000Z");
    expect(iso(HONG_KONG, "2026-08-10T16:49:33.123")).toBe("2026-08-10T08:49:33.000Z");
    expect(iso(SAIGON, "17/06/2026 15:38")).toBe("2026-06-17T08:38:00.000Z");
    expect(iso(SAIGON, " 17/06/2026 15:38:09 ")).toBe("2026-06-17T08:38:09.000Z");
    expect(iso(WORDS, "04-Oct-2026 01:05 PM")).toBe("2026-10-04T08:05:00.000Z");
    expect(iso(WORDS, "04-OCT-2026 12:05 AM")).toBe("2026-10-03T19:05:00.000Z");
    expect(iso(WORDS, "04-Oct-2026 12:05 PM")).toBe("2026-10-04T07:05:00.000Z");
  });

  it("follows a city whose clocks change", () => {
    const cairo = localInstant("Africa/Cairo", DATE_THEN_TIME);
    expect(iso(cairo, "2026-07-01 12:00:00")).toBe("2026-07-01T09:00:00.000Z");
    expect(iso(cairo, "2026-12-01 12:00:00")).toBe("2026-12-01T10:00:00.000Z");
  });

  it.each([
    [HONG_KONG, "2026-02-30 10:00:00"],
    [HONG_KONG, "2026-13-01 10:00:00"],
    [HONG_KONG, "2026-08-10 24:00:00"],
    [HONG_KONG, "2026-08-10 10:60:00"],
    [HONG_KONG, "0000-00-00 00:00:00"],
    [HONG_KONG, "10/08/2026 16:49"],
    [HONG_KONG, ""],
    [HONG_KONG, null],
    [WORDS, "04-Foo-2026 01:05 PM"],
    [WORDS, "04-Oct-2026 13:05 PM"],
    [WORDS, "04-Oct-2026 00:05 AM"],
  ])("is refused when there is no such time: %#", (schema, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});

const at = (text: string) => Date.parse(text);

describe("a page dated by a day", () => {
  it("is as new as its arrival while that day lasts in its city", () => {
    const evening = at("2026-11-20T20:59:59Z");
    expect(withinDay("Asia/Riyadh", "2026-11-20", evening)).toBe(evening);
  });

  it("is as old as that day's end afterwards", () => {
    expect(withinDay("Asia/Riyadh", "2026-11-20", at("2026-11-20T21:00:00Z"))).toBe(at("2026-11-20T20:59:59.999Z"));
    expect(withinDay("Asia/Riyadh", "2026-11-20", at("2026-11-23T09:00:00Z"))).toBe(at("2026-11-20T20:59:59.999Z"));
  });

  it("is refused before that day begins there", () => {
    expect(withinDay("Asia/Jakarta", "2026-11-21", at("2026-11-20T17:00:00Z"))).toBe(at("2026-11-20T17:00:00Z"));
    expect(() => withinDay("Asia/Jakarta", "2026-11-21", at("2026-11-20T16:59:59Z"))).toThrow("dated in the future");
  });
});
