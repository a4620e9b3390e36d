/** The levels the simulated market passes through. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { LAST_SIMULATED_YEAR, type LevelMetal, metalAnchors } from "./levels.ts";

const METALS: readonly LevelMetal[] = ["XAU", "XAG", "HG", "XPT", "XPD"];
const MONTHLY = join(import.meta.dirname, "../../../testkit/data/gold-monthly/monthly.csv");

const levelOn = (metal: LevelMetal, atMs: number): number | undefined => {
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
