import { describe, expect, test } from "vitest";
import {
  BAR_SYMBOLS,
  CURRENCIES,
  calendarDay,
  decimal,
  decimalParameter,
  errorClass,
  formatTimestamp,
  INTERVAL_MS,
  INTERVALS,
  pageLimit,
  timestamp,
} from "./values.ts";

describe("the 31 currencies", () => {
  test("are those of the interface, in order and without repetition", () => {
    expect(CURRENCIES.join(" ")).toBe(
      "AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR",
    );
  });
});

test("intervals are eight, each a divisor of a day, with their lengths", () => {
  expect(INTERVALS).toEqual(["1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d"]);
  for (const interval of INTERVALS) expect(86_400_000 % INTERVAL_MS[interval]).toBe(0);
  expect(INTERVALS.map((interval) => INTERVAL_MS[interval] / 60_000)).toEqual([1, 5, 15, 30, 60, 120, 240, 1440]);
  expect(BAR_SYMBOLS).toHaveLength(7);
});

describe("a decimal on the wire", () => {
  const schema = decimal("a figure");
  test.each(["0", "0.5", "4003.20", "-12.30", "1", "0.000001", "123456789012345678901234567890.123456789"])(
    "may be %s",
    (text) => {
      expect(schema.safeParse(text).success).toBe(true);
    },
  );
  test.each([
    ["1e3"],
    ["1.0E5"],
    [".5"],
    ["5."],
    ["007"],
    ["+1"],
    [""],
    [" 1"],
    ["1 "],
    ["1,000"],
    ["NaN"],
    ["Infinity"],
    ["--1"],
    [4003.2],
    [null],
  ])("is never %j", (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});

describe("an amount as a parameter", () => {
  const schema = decimalParameter("how much", "1");
  test("keeps every digit, and has the declared default", () => {
    expect(schema.parse("0.10000000000000000000000000000000000001")).toBe("0.10000000000000000000000000000000000001");
    expect(schema.parse(undefined)).toBe("1");
  });
  test("allows what is well-formed but out of range, for the route to refuse", () => {
    for (const text of ["0", "-1", "Infinity", "-Infinity", "NaN"]) expect(schema.safeParse(text).success, text).toBe(true);
  });
  test("refuses what is malformed", () => {
    for (const text of ["", " 1", "1 ", "1e3", "1,5", "0x10", "+1", ".5", "5.", "one", "١", "9".repeat(41)]) {
      expect(schema.safeParse(text).success, text).toBe(false);
    }
  });
});

test("a page holds 1 to 10 000 rows, 100 unless asked", () => {
  expect(pageLimit.parse(undefined)).toBe(100);
  for (const good of [1, 100, 10_000]) expect(pageLimit.safeParse(good).success).toBe(true);
  for (const bad of [0, -1, 10_001, 1.5, "5", Number.NaN, 1e20])
    expect(pageLimit.safeParse(bad).success, String(bad)).toBe(false);
});

describe("an instant on the wire", () => {
  test("has a Z, and milliseconds only when there are any", () => {
    expect(formatTimestamp(new Date(Date.UTC(2026, 10, 20, 14, 3, 27)))).toBe("2026-11-20T14:03:27Z");
    expect(formatTimestamp(new Date(Date.UTC(2026, 10, 20, 14, 3, 27, 5)))).toBe("2026-11-20T14:03:27.005Z");
    expect(formatTimestamp(new Date(0))).toBe("1970-01-01T00:00:00Z");
  });
  test("matches only its own schema, and never without a Z", () => {
    const schema = timestamp("when");
    expect(schema.safeParse(formatTimestamp(new Date(1))).success).toBe(true);
    for (const bad of ["2026-11-20T14:03:27", "2026-11-20T14:03:27+00:00", "2026-11-20", "2026-02-30T00:00:00Z"]) {
      expect(schema.safeParse(bad).success, bad).toBe(false);
    }
  });
  test("is an existing day where only a day is expected", () => {
    const schema = calendarDay("which");
    expect(schema.safeParse("2028-02-29").success).toBe(true);
    for (const bad of ["2026-02-29", "2026-2-1", "2026-11-20T00:00:00Z"]) expect(schema.safeParse(bad).success, bad).toBe(false);
  });
});

test("an error class is one word or an upstream's status, without room for a figure or a sentence", () => {
  const schema = errorClass("why");
  for (const good of ["jump", "not_positive", "timeout", "http_503", "no_space"])
    expect(schema.safeParse(good).success, good).toBe(true);
  for (const bad of ["", "jump: 4392.0", "jump 4392", "jump_4392", "4392", "http_4392", "HTTP 503", "no answer", "x".repeat(41)])
    expect(schema.safeParse(bad).success, bad).toBe(false);
});
