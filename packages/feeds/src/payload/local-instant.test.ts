/** Local times of a shop. */
import { describe, expect, it } from "vitest";
import { DATE_THEN_TIME, DAY_FIRST, localInstant } from "./local-instant.ts";

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
