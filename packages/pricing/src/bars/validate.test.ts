import { describe, expect, it } from "vitest";
import type { DailySymbol } from "../conventions/symbols.ts";
import { captured } from "../testing/samples.ts";
import { type BarFigures, type BarRule, priceBoundsAt, validateBar } from "./validate.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const bar = (figures: Partial<BarFigures> = {}): BarFigures => ({
  interval: "1d",
  barStartMs: Date.UTC(2026, 10, 20),
  open: "370.10",
  high: "372.00",
  low: "369.50",
  close: "371.20",
  volume: "8123400",
  ...figures,
});

describe("validateBar", () => {
  it.each([
    bar(),
    bar({ volume: null }),
    bar({ volume: "0" }),
    bar({ open: null, high: null, low: null }),
    bar({ open: "372", low: "369.5", close: "369.500" }),
    bar({ high: "000999999999.99", volume: "99999999999999999999.9" }),
  ])("passes %o", (sound) => {
    expect(validateBar(sound, NOW)).toEqual({ ok: true });
  });

  it.each<[Partial<BarFigures>, BarRule]>([
    [{ open: "" }, "malformed"],
    [{ close: "NaN" }, "malformed"],
    [{ volume: "1e6" }, "malformed"],
    [{ low: "0" }, "not_positive"],
    [{ low: "-1" }, "not_positive"],
    [{ volume: "-1" }, "not_positive"],
    [{ high: "1000000000" }, "too_large"],
    [{ volume: "100000000000000000000.5" }, "too_large"],
    [{ high: "371.19" }, "inconsistent"],
    [{ high: "370.09", close: "370" }, "inconsistent"],
    [{ low: "370.11" }, "inconsistent"],
    [{ low: "400", high: "399" }, "inconsistent"],
    [{ open: null }, "inconsistent"],
    [{ high: null, low: null }, "inconsistent"],
    [{ open: null, high: null, low: null, close: "0" }, "not_positive"],
    [{ barStartMs: Date.UTC(2026, 10, 19, 23) }, "misaligned"],
    [{ barStartMs: Number.NaN }, "misaligned"],
    [{ barStartMs: Date.UTC(2026, 10, 21) }, "from_the_future"],
  ])("refuses %o as %s", (figures, rule) => {
    expect(validateBar(bar(figures), NOW)).toMatchObject({ ok: false, rule });
  });
});

const isWithin = (symbol: DailySymbol, atMs: number, price: number): boolean => {
  const { low, high } = priceBoundsAt(symbol, atMs);
  return price >= Number(low) && price <= Number(high);
};

/** Rows of a file; none, with the reason logged, where it is unavailable. */
const rowsOf = (path: string): string[][] => {
  const lines = captured(path)?.trim().split(/\r?\n/) ?? [];
  return lines.slice(1).map((line) => line.split(","));
};

describe("priceBoundsAt", () => {
  it("holds the famous days", () => {
    const days = [
      ["XAU-USD-SPOT", "1980-01-21", 850],
      ["XAU-USD-SPOT", "1971-08-13", 43],
      ["XAG-USD-SPOT", "1980-01-18", 49.45],
      ["XAG-USD-SPOT", "2011-04-25", 49.8],
      ["XAG-USD-SPOT", "2026-01-29", 121],
      ["HG", "2008-12-24", 1.25],
      ["XPT-USD-SPOT", "2008-03-04", 2276],
      ["XPD-USD-SPOT", "2022-03-07", 3440],
      ["GLD", "2004-11-18", 44],
      ["GLD", "2011-08-22", 185],
    ] as const;
    for (const [symbol, day, price] of days) expect(isWithin(symbol, Date.parse(day), price), `${symbol} ${day}`).toBe(true);
  });

  it("holds the monthly means of gold since 1833 and the daily bars of a publisher", () => {
    for (const [month = "", price] of rowsOf("gold-monthly/monthly.csv")) {
      expect(isWithin("XAU-USD-SPOT", Date.parse(month), Number(price)), month).toBe(true);
    }
    for (const [day = "", , high, low] of rowsOf("bars-daily/xauusd_d_2000_20260204.csv")) {
      expect(isWithin("XAU-USD-SPOT", Date.parse(day), Number(high)), day).toBe(true);
      expect(isWithin("XAU-USD-SPOT", Date.parse(day), Number(low)), day).toBe(true);
    }
  });

  it("gives ages that follow on each other without a gap", () => {
    for (const symbol of ["XAU-USD-SPOT", "SI", "HG", "XPT-USD-SPOT", "XPD-USD-SPOT", "GLD"] as const) {
      let bounds = priceBoundsAt(symbol, Date.UTC(1600, 0));
      expect(bounds.fromMs).toBe(Number.NEGATIVE_INFINITY);
      while (bounds.untilMs !== Number.POSITIVE_INFINITY) {
        const next = priceBoundsAt(symbol, bounds.untilMs);
        expect(next.fromMs).toBe(bounds.untilMs);
        bounds = next;
      }
    }
  });
});
