import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { metalAnchors } from "./market-levels.ts";
import { priceBoundsAt } from "./price-bounds.ts";
import type { DailySymbol } from "./symbols.ts";

const isWithin = (symbol: DailySymbol, atMs: number, price: number): boolean => {
  const { low, high } = priceBoundsAt(symbol, atMs);
  return price >= Number(low) && price <= Number(high);
};

/** Days and prices of a metal that are known, up to what is a record and not a continuation. */
const known = (metal: "XAU" | "XAG" | "HG" | "XPT" | "XPD"): (readonly [ms: number, price: number])[] => {
  const { days, levels } = metalAnchors(metal);
  const until = Date.UTC(2026, 6, 1) / 86_400_000;
  return days.flatMap((day, index) => (day < until ? [[day * 86_400_000, levels[index] ?? 0] as const] : []));
};

const shared = (path: string): string => fileURLToPath(new URL(`../../../../shared/data/${path}`, import.meta.url));
const rowsOf = (path: string): string[][] => {
  if (!existsSync(shared(path))) {
    console.info(`skipped: ../shared/data/${path} is not here`);
    return [];
  }
  const lines = readFileSync(shared(path), "utf8").trim().split(/\r?\n/);
  return lines.slice(1).map((line) => line.split(","));
};

describe("priceBoundsAt", () => {
  it.each([
    ["XAU", "XAU-USD-SPOT"],
    ["XAG", "XAG-USD-SPOT"],
    ["HG", "HG-USD-SPOT"],
    ["XPT", "XPT-USD-SPOT"],
    ["XPD", "XPD-USD-SPOT"],
  ] as const)("holds every known price of %s, and those half as high and half as low again", (metal, symbol) => {
    for (const [atMs, price] of known(metal)) {
      for (const factor of [0.67, 1, 1.5]) {
        expect(isWithin(symbol, atMs, price * factor), `${new Date(atMs).toISOString()} ${price * factor}`).toBe(true);
      }
    }
  });

  it("leaves out prices in cents and in hundreds, and another metal's, before 2026", () => {
    const others = {
      XAU: ["XAG", "HG"],
      XAG: ["XAU", "HG"],
      HG: ["XAU", "XAG"],
      XPT: ["XAG", "HG"],
      XPD: ["XAG", "HG"],
    } as const;
    for (const [metal, strange] of Object.entries(others) as [keyof typeof others, readonly ("XAU" | "XAG" | "HG")[]][]) {
      const symbol = `${metal}-USD-SPOT` as const;
      const past = known(metal).filter(([atMs]) => atMs < Date.UTC(2026, 0, 1));
      for (const [atMs, price] of past) {
        for (const factor of [0.01, 100]) expect(isWithin(symbol, atMs, price * factor), `${symbol} ${atMs}`).toBe(false);
      }
      for (const other of strange) {
        const passing = known(other).filter(([atMs, price]) => atMs < Date.UTC(2026, 0, 1) && isWithin(symbol, atMs, price));
        expect(passing.length, `${other} as ${metal}`).toBeLessThan(0.4 * past.length);
      }
    }
  });

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
