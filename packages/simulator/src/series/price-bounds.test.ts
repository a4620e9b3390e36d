/** Checks the price bounds against the levels of thirty years. */
import { type DailySymbol, priceBoundsAt } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { metalAnchors } from "./levels.ts";

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
