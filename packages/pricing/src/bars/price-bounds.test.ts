import { describe, expect, it } from "vitest";
import type { DailySymbol } from "../market/symbols.ts";
import { captured } from "../testing/samples.ts";
import { priceBoundsAt } from "./price-bounds.ts";

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
