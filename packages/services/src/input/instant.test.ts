import { DAY_MS } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { dayOf, readDay, readInstant } from "./instant.ts";

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

describe("a day", () => {
  test("is its UTC midnight, and is written the same again", () => {
    for (const day of ["1996-01-01", "2024-02-29", "2026-11-20", "9999-12-31"]) {
      const ms = readDay(day);
      expect(ms).toBe(at(`${day}T00:00:00Z`));
      expect(dayOf((ms ?? 0) + DAY_MS - 1)).toBe(day);
    }
  });

  test.each(["2026-02-30", "2026-1-1", "2026-11-20T00:00:00Z", "yesterday", "", "2026-00-10", "2026-11-31"])(
    "%j is not one",
    (text) => {
      expect(readDay(text)).toBeNull();
    },
  );
});
