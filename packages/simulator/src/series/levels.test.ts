/** The levels the simulated market passes through. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "@assay/contract";
import { type DailySymbol, priceBoundsAt } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { anchorsOf, LAST_SIMULATED_YEAR, metalAnchors } from "./levels.ts";

const METALS: readonly string[] = ["XAU", "XAG", "HG", "XPT", "XPD"];
const MONTHLY = join(import.meta.dirname, "../../../testkit/data/gold-monthly/monthly.csv");

const levelOn = (metal: string, atMs: number): number | undefined => {
  const { days, levels } = metalAnchors(metal);
  return levels[days.indexOf(atMs / DAY_MS)];
};

describe("the levels of the metals", () => {
  it.each(METALS)("rise in time without gaps above a year, from before 1996 to past the last year, for %s", (metal) => {
    const { days, levels } = metalAnchors(metal);
    expect(levels).toHaveLength(days.length);
    for (const [index, day] of days.entries()) {
      const gap = day - (days[index - 1] ?? day - 1);
      expect(gap).toBeGreaterThan(0);
      expect(gap).toBeLessThanOrEqual(396);
    }
    expect(days[0]).toBeLessThan(Date.UTC(1996, 0, 1) / DAY_MS);
    expect(days.at(-1)).toBeGreaterThan(Date.UTC(LAST_SIMULATED_YEAR, 11, 31) / DAY_MS);
  });

  it.each(METALS)("never more than double or halve from one to the next, for %s", (metal) => {
    const { levels } = metalAnchors(metal);
    for (const [index, level] of levels.slice(1).entries()) {
      expect(level / (levels[index] ?? level)).toBeGreaterThan(0.5);
      expect(level / (levels[index] ?? level)).toBeLessThan(2);
    }
  });

  it("know the marks of the past: gold low in 1999, high in January 2026, about 4 000 in November", () => {
    expect(levelOn("XAU", Date.UTC(1999, 6, 15))).toBe(256);
    expect(levelOn("XAU", Date.UTC(2026, 1, 15))).toBe(5020);
    expect(levelOn("XAU", Date.UTC(2026, 10, 15))).toBe(4000);
    expect(levelOn("XPT", Date.UTC(2008, 4, 15))).toBe(2030);
  });

  it("grow by 2 % a year past what is known", () => {
    expect(levelOn("XAU", Date.UTC(2027, 11, 15))).toBeCloseTo(4010 * 1.02, 9);
    expect(levelOn("XAU", Date.UTC(2040, 11, 15))).toBeCloseTo(4010 * 1.02 ** 14, 6);
  });

  it("begin before the first bar, however late their table begins", () => {
    const { days, levels } = anchorsOf({ 2025: [100], 2026: [120, 130] });
    expect(days).toEqual([...new Set(days)].toSorted((left, right) => left - right));
    expect(days[0]).toBeLessThan(Date.UTC(1996, 0, 1) / DAY_MS);
    expect(levels[days.indexOf(Date.UTC(2024, 11, 15) / DAY_MS)]).toBeCloseTo(100 / 1.02, 9);
    expect(levels[days.indexOf(Date.UTC(2025, 6, 15) / DAY_MS)]).toBe(100);
  });

  it("are gold's published monthly means, in whole dollars", () => {
    const rows = readFileSync(MONTHLY, "utf8").trim().split("\n").slice(1);
    const known = rows.map((row) => row.split(",")).filter(([month = ""]) => month >= "1995-01");
    expect(known.length).toBeGreaterThan(370);
    for (const [month, mean] of known) {
      const level = levelOn("XAU", Date.parse(`${month}-15T00:00:00Z`));
      expect(Math.abs((level ?? 0) - Number(mean)), month).toBeLessThanOrEqual(0.75);
    }
  });
});

const isWithin = (symbol: DailySymbol, atMs: number, price: number): boolean => {
  const { low, high } = priceBoundsAt(symbol, atMs);
  return price >= Number(low) && price <= Number(high);
};

/** Known days and prices of a metal, up to the end of the record. */
const known = (metal: "XAU" | "XAG" | "HG" | "XPT" | "XPD"): (readonly [ms: number, price: number])[] => {
  const { days, levels } = metalAnchors(metal);
  const until = Date.UTC(2026, 6, 1) / 86_400_000;
  return days.flatMap((day, index) => (day < until ? [[day * 86_400_000, levels[index] ?? 0] as const] : []));
};

describe("priceBoundsAt", () => {
  it.each([
    ["XAU", "XAU-USD-SPOT"],
    ["XAG", "XAG-USD-SPOT"],
    ["HG", "HG-USD-SPOT"],
    ["XPT", "XPT-USD-SPOT"],
    ["XPD", "XPD-USD-SPOT"],
  ] as const)("allows every known price of %s, and those half as high and half as low again", (metal, symbol) => {
    for (const [atMs, price] of known(metal)) {
      for (const factor of [0.67, 1, 1.5]) {
        expect(isWithin(symbol, atMs, price * factor), `${new Date(atMs).toISOString()} ${price * factor}`).toBe(true);
      }
    }
  });

  it("refuses prices in cents and in hundreds, and another metal's, before 2026", () => {
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
});
