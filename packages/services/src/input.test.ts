import { DAY_MS } from "@assay/contract";
import { utcDay } from "@assay/pricing";
import { describe, expect, test } from "vitest";
import { instantFault, isReversed, readDay, readInstant } from "./input.ts";

const at = (text: string): number => Date.parse(text);

describe("an instant", () => {
  test.each([
    ["2026-11-20T14:03:27Z", "2026-11-20T14:03:27Z"],
    ["2026-11-20T14:03:27.5Z", "2026-11-20T14:03:27.500Z"],
    ["2026-11-20T14:03:27+00:00", "2026-11-20T14:03:27Z"],
    ["2026-11-20T14:03:27-05:00", "2026-11-20T19:03:27Z"],
    ["2026-11-20T14:03:27+05:30", "2026-11-20T08:33:27Z"],
    ["2026-11-20T14:03:27", "2026-11-20T14:03:27Z"],
    ["2026-11-20T14:03Z", "2026-11-20T14:03:00Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"],
  ])("%s is %s", (text, expected) => {
    expect(readInstant(text)).toEqual({ startMs: at(expected), endMs: at(expected) });
  });

  test.each([
    ["2026-11-20T12:00:00.0000001Z", "2026-11-20T12:00:00.001Z", "2026-11-20T12:00:00.000Z"],
    ["2026-11-20T11:59:59.9999999+00:00", "2026-11-20T12:00:00.000Z", "2026-11-20T11:59:59.999Z"],
    ["2026-11-20T12:00:00.1230004", "2026-11-20T12:00:00.124Z", "2026-11-20T12:00:00.123Z"],
    ["2026-11-20T12:00:00.1230000Z", "2026-11-20T12:00:00.123Z", "2026-11-20T12:00:00.123Z"],
  ])("%s starts at the next whole millisecond and ends at the one before", (text, start, end) => {
    expect(readInstant(text)).toEqual({ startMs: at(start), endMs: at(end) });
  });

  test.each([
    ["2026-11-20T12:00:00.0000001Z", "2026-11-20T12:00:00.0000001Z", false],
    ["2026-11-20", "2026-11-20", false],
    ["2026-11-20T12:00:00Z", "2026-11-20", false],
    ["2026-11-20T12:00:00.001Z", "2026-11-20T12:00:00Z", true],
    ["2026-11-21", "2026-11-20", true],
  ])("from %s to %s is reversed: %j", (from, to, expected) => {
    const [start, end] = [readInstant(from), readInstant(to)];
    expect(start && end && isReversed(start, end)).toBe(expected);
  });

  test("that is a bare date is the whole UTC day", () => {
    const startMs = at("2026-11-20T00:00:00Z");
    expect(readInstant("2026-11-20")).toEqual({ startMs, endMs: startMs + DAY_MS - 1 });
  });

  test.each([
    ...[
      "",
      " ",
      "now",
      "2026",
      "2026-11",
      "2026-13-01",
      "2026-02-30",
      "2025-02-29",
      "2026-11-20T25:00:00Z",
      "2026-11-20T14:60:00Z",
    ],
    ...["20-11-2026", "2026/11/20", "2026-11-20 14:03:27Z", "2026-11-20T14:03:27 00:00", "1795183407", "1795183407000", "-1"],
    ...[
      "2026-11-20T14:03:27z ",
      "2026-11-20T14:03:27+0",
      "2026-11-20T14:03:27[UTC]",
      "２０２６-11-20",
      "2026-11-20\n",
      "+002026-11-20",
    ],
  ])("%j is not one", (text) => {
    expect(readInstant(text)).toBeNull();
  });
});

describe("an instant that is not one", () => {
  test.each(["2026-11-24T10:00:00 05:30", "2026-11-24T10:00:00.250 0530", "2026-11-24T10:00 00:00"])(
    "%s says that a + is sent as %%2B",
    (text) => {
      expect(readInstant(text)).toBeNull();
      expect(instantFault(text)).toContain("%2B");
    },
  );

  test.each(["yesterday", "2026-02-30", "2026-11-24 10:00:00", "2026-11-24T10:00:00 Z"])("%s says what is expected", (text) => {
    expect(instantFault(text)).toBe("must be an ISO-8601 date or date-time, for example 2026-11-01T00:00:00Z");
  });
});

describe("a day", () => {
  test("is its UTC midnight, and is written the same again", () => {
    for (const day of ["1996-01-01", "2024-02-29", "2026-11-20", "9999-12-31"]) {
      const ms = readDay(day);
      expect(ms).toBe(at(`${day}T00:00:00Z`));
      expect(utcDay((ms ?? 0) + DAY_MS - 1)).toBe(day);
    }
  });

  test.each(["2026-02-30", "2026-1-1", "2026-11-20T00:00:00Z", "yesterday", "", "2026-00-10", "2026-11-31"])(
    "%j is not one",
    (text) => {
      expect(readDay(text)).toBeNull();
    },
  );
});
