import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  BAR_SYMBOLS,
  calendarDay,
  clockReading,
  decimal,
  decimalParameter,
  errorClass,
  formatClockReading,
  formatDeadline,
  formatTimestamp,
  INTERVAL_MS,
  INTERVALS,
  pageLimit,
  timestamp,
  upperCase,
} from "./values.ts";

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
  test.each([
    [".5", "0.5"],
    ["-.5", "-0.5"],
    ["1e-7", "0.0000001"],
    ["1.25E-3", "0.00125"],
    ["12.5e-1", "1.25"],
    ["1e0", "1"],
    ["1.5e3", "1500"],
    ["1.2345e+2", "123.45"],
    ["-2e1", "-20"],
    [".5e1", "5"],
    ["1e99", `1${"0".repeat(99)}`],
    ["1e-99", `0.${"0".repeat(98)}1`],
  ])("reads %s as %s", (text, plain) => {
    expect(schema.parse(text)).toBe(plain);
  });
  test("reads every number of two exponent digits as JavaScript writes it", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e99, max: 1e99 }), (value) => {
        fc.pre(value === 0 || Math.abs(value) >= 1e-99);
        const plain = schema.parse(String(value));
        expect(plain).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/);
        expect(Number(plain)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
  test("allows what is well-formed but out of range, for the route to refuse", () => {
    for (const text of ["0", "-1", "Infinity", "-Infinity", "NaN"]) expect(schema.safeParse(text).success, text).toBe(true);
  });
  test("refuses what is malformed", () => {
    const malformed = ["", " 1", "1 ", "1,5", "0x10", "1_000", "+1", "5.", ".", "e5", "1e", "1e5.5", "1e 5", "1e400", "1e-100"];
    for (const text of [...malformed, "infinity", "one", "١", "9".repeat(41)]) {
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
  test("has a Z and whole seconds, and is never later than the instant", () => {
    for (const ms of [0, 1, 5, 500, 999]) {
      expect(formatTimestamp(Date.UTC(2026, 10, 20, 14, 3, 27, ms))).toBe("2026-11-20T14:03:27Z");
    }
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00Z");
  });
  test("that is a deadline is never earlier than the instant", () => {
    expect(formatDeadline(Date.UTC(2026, 10, 20, 14, 3, 27))).toBe("2026-11-20T14:03:27Z");
    expect(formatDeadline(Date.UTC(2026, 10, 20, 14, 3, 27, 1))).toBe("2026-11-20T14:03:28Z");
  });
  test("that is a reading of a clock always has three digits of milliseconds", () => {
    const schema = clockReading("The clock");
    for (const ms of [0, 5, 999]) {
      const text = formatClockReading(Date.UTC(2026, 10, 20, 14, 3, 27, ms));
      expect(text).toBe(`2026-11-20T14:03:27.${String(ms).padStart(3, "0")}Z`);
      expect(schema.safeParse(text).success).toBe(true);
      expect(timestamp("when").safeParse(text).success).toBe(false);
    }
    expect(schema.safeParse("2026-11-20T14:03:27Z").success).toBe(false);
  });
  test("matches only its own schema, and never without a Z", () => {
    const schema = timestamp("when");
    expect(schema.safeParse(formatTimestamp(1)).success).toBe(true);
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

describe("a name in any case", () => {
  test("capitalises the letters a to z", () => {
    expect(upperCase("xau-Usd-spot/1")).toBe("XAU-USD-SPOT/1");
    expect(upperCase("")).toBe("");
  });

  test.each(["ın", "ſilver", "ﬁ", "ß", "eur\u0301"])("leaves %s alone, which would become another name", (text) => {
    expect(upperCase(text)).toBe(text);
  });
});
