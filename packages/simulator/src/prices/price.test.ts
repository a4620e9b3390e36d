/** The simulated price: pure, exact everywhere, close to the real levels. */
import { readdirSync, readFileSync } from "node:fs";
import { DAY_MS } from "@assay/contract";
import type { Instrument } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metalAnchors } from "../series/levels.ts";
import { simulatedPrice } from "./price.ts";

const IN_2026 = Date.UTC(2026, 10, 21, 14, 3, 27);
const IN_2008 = Date.UTC(2008, 8, 15, 12, 0, 1);

const GOLDEN: readonly (readonly [Instrument, string, string])[] = [
  ["XAU-USD-SPOT", "4011.94", "821.11"],
  ["XAG-USD-SPOT", "53.4656", "12.9726"],
  ["HG-USD-SPOT", "5.5048", "2.9536"],
  ["XAU-USD-FUTURES", "4028.48", "824.95"],
  ["XAG-USD-FUTURES", "53.696", "13.137"],
  ["HG-USD-FUTURES", "5.5157", "2.9707"],
  ["GLD", "368.76", "80.88"],
  ["XPT-USD-SPOT", "1636.42", "1354.14"],
  ["XPD-USD-SPOT", "1226.05", "268.88"],
];

const instrument = fc.constantFrom(...GOLDEN.map(([name]) => name));
const instant = fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2040, 0, 1) });
const seed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** The level interpolated linearly between the anchors around an instant. */
const levelAt = (metal: "XAU" | "XAG", atMs: number): number => {
  const { days, levels } = metalAnchors(metal);
  const day = atMs / DAY_MS;
  const after = days.findIndex((anchor) => anchor > day);
  const [a, b] = [days[after - 1] ?? 0, days[after] ?? 0];
  const [from, to] = [levels[after - 1] ?? 0, levels[after] ?? 0];
  return from + ((to - from) * (day - a)) / (b - a);
};

describe("the simulated price", () => {
  it.each(GOLDEN)("keeps %s at the price that every process so far has had", (name, in2026, in2008) => {
    expect(simulatedPrice(name, IN_2026, 1)).toBe(in2026);
    expect(simulatedPrice(name, IN_2008, 1)).toBe(in2008);
  });

  it("does not depend on earlier requests", () => {
    fc.assert(
      fc.property(instrument, instant, seed, instrument, instant, seed, (name, atMs, of, otherName, otherMs, otherSeed) => {
        const first = simulatedPrice(name, atMs, of);
        simulatedPrice(otherName, otherMs, otherSeed);
        expect(simulatedPrice(name, atMs, of)).toBe(first);
      }),
    );
  });

  it("has the price of the second below between whole seconds", () => {
    fc.assert(
      fc.property(instrument, instant, seed, (name, atMs, of) => {
        expect(simulatedPrice(name, atMs, of)).toBe(simulatedPrice(name, Math.floor(atMs / 1_000) * 1_000, of));
      }),
    );
  });

  it("writes every price with the digits its instrument is published with", () => {
    fc.assert(
      fc.property(instrument, instant, seed, (name, atMs, of) => {
        const decimals = GOLDEN.find(([known]) => known === name)?.[1].split(".")[1]?.length ?? 0;
        expect(simulatedPrice(name, atMs, of)).toMatch(new RegExp(`^(0|[1-9][0-9]*)\\.[0-9]{${decimals}}$`));
      }),
    );
  });

  it("takes another path with another seed", () => {
    const price = (of: number) => simulatedPrice("XAU-USD-SPOT", IN_2026, of);
    const prices = new Set([1, 2, 3, 1 + 2 ** 32, 1 + 2 ** 33].map(price));
    expect(prices.size).toBe(5);
  });

  it("stays within 20 % of gold's and 35 % of silver's known levels until those end", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2026, 10, 30) }), seed, (atMs, of) => {
        expect(Math.abs(Number(simulatedPrice("XAU-USD-SPOT", atMs, of)) / levelAt("XAU", atMs) - 1)).toBeLessThan(0.2);
        expect(Math.abs(Number(simulatedPrice("XAG-USD-SPOT", atMs, of)) / levelAt("XAG", atMs) - 1)).toBeLessThan(0.35);
      }),
      { numRuns: 500 },
    );
  });

  it("never jumps: a second moves gold by less than a tenth of a percent", () => {
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const [before, after] = [atMs, atMs + 1_000].map((ms) => Number(simulatedPrice("XAU-USD-SPOT", ms, of)));
        expect(Math.abs((after ?? 0) / (before ?? 0) - 1)).toBeLessThan(0.001);
      }),
    );
  });

  it("keeps futures a little above spot and the fund near its ounces", () => {
    fc.assert(
      fc.property(instant, seed, (atMs, of) => {
        const spot = Number(simulatedPrice("XAU-USD-SPOT", atMs, of));
        const carry = Number(simulatedPrice("XAU-USD-FUTURES", atMs, of)) / spot - 1;
        expect(carry).toBeGreaterThan(0.002);
        expect(carry).toBeLessThan(0.013);
        const ounces = Number(simulatedPrice("GLD", atMs, of)) / spot;
        expect(ounces).toBeGreaterThan(0.085);
        expect(ounces).toBeLessThan(0.105);
      }),
    );
  });

  it("refuses instants before its first level, after its last year, and invalid ones", () => {
    for (const atMs of [Date.UTC(1994, 11, 31), Date.UTC(2101, 0, 1), Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => simulatedPrice("XAU-USD-SPOT", atMs, 1)).toThrow(RangeError);
    }
    expect(() => simulatedPrice("XAG-USD-SPOT", Date.UTC(2099, 11, 31), 1)).not.toThrow();
  });

  it("uses no operation whose last bit depends on the platform", () => {
    const allowed = new Set(["floor", "ceil", "min", "max", "imul", "sqrt"]);
    // Option prices need logarithms and the error function; they are rounded to ticks, and nothing else derives from them.
    const sources = new URL("../", import.meta.url);
    const code = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("venues"))
      .map((file) => readFileSync(new URL(file, sources), "utf8"));
    expect(code.length).toBeGreaterThan(10);
    const used = code.join("\n").matchAll(/Math\.([a-zA-Z0-9]+)|[\w)] \*\* [\w(]/g);
    for (const [text, name] of used) expect([...allowed], text).toContain(name);
  });
});
