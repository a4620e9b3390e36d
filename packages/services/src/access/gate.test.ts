import { BAR_SYMBOLS, DAY_MS, DEFAULT_CATALOG, INTERVALS, TIER_NAMES, TIER_REACH, type TierName } from "@assay/contract";
import { PRICE_SYMBOLS } from "@assay/pricing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attempt, type FailAny } from "../call.ts";
import type { Caller } from "../context.ts";
import { allowsSymbol, asOf, depthFloor, requireBars, requireSymbol, requireTier, requireYear, tierReaching } from "./gate.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 14, 3);
const callerOf = (tier: TierName): Caller => ({ tier, reach: TIER_REACH[tier], key: null, ip: "10.0.0.1" });

/** The result of a check: null when it let the caller through, else the required tier. */
const asked = (check: (fail: FailAny) => void): unknown =>
  attempt<unknown>(
    (fail) => {
      check(fail);
      return null;
    },
    ({ code, detail }) => (code === "plan_gated" ? String(detail["required_tier"]) : code),
  );

const LOW: readonly TierName[] = ["free", "basic", "physical"];

describe("a tier", () => {
  test.each(TIER_NAMES)("%s sees the symbols of its catalog entry and no other", (tier) => {
    const { allowed_bases: bases, allowed_contracts: contracts } = DEFAULT_CATALOG.tiers[tier];
    for (const symbol of PRICE_SYMBOLS) {
      const allowed = bases.includes(symbol.metal) && contracts.includes(symbol.contractType);
      expect(allowsSymbol(DEFAULT_CATALOG, tier, symbol), symbol.symbol).toBe(allowed);
      expect(asked((fail) => requireSymbol(DEFAULT_CATALOG, callerOf(tier), symbol, fail))).toBe(allowed ? null : "pro");
    }
  });

  test.each(TIER_NAMES)("%s sees the bars it may, and learns which tier sees the others", (tier) => {
    for (const symbol of BAR_SYMBOLS) {
      for (const interval of INTERVALS) {
        const open = !LOW.includes(tier) || (symbol === "XAU-USD-SPOT" && interval === "1d");
        expect(
          asked((fail) => requireBars(callerOf(tier), symbol, interval, fail)),
          `${symbol} ${interval}`,
        ).toBe(open ? null : "pro");
      }
    }
  });

  test("includes every tier below it", () => {
    for (const [index, tier] of TIER_NAMES.entries()) {
      for (const [needed, other] of TIER_NAMES.entries()) {
        expect(asked((fail) => requireTier(callerOf(tier), other, fail))).toBe(index >= needed ? null : other);
      }
    }
  });

  test("requires the lowest tier that an operator's catalog opens a symbol to", () => {
    const catalog = {
      ...DEFAULT_CATALOG,
      tiers: {
        ...DEFAULT_CATALOG.tiers,
        physical: { ...DEFAULT_CATALOG.tiers.physical, allowed_bases: ["XAU" as const, "XAG" as const] },
      },
    };
    const silver = { metal: "XAG", contractType: "spot" } as const;
    expect(asked((fail) => requireSymbol(catalog, callerOf("free"), silver, fail))).toBe("physical");
    expect(asked((fail) => requireSymbol(catalog, callerOf("physical"), silver, fail))).toBeNull();
  });
});

describe("depth", () => {
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

  test.each([
    ["free", "2026-10-21"],
    ["basic", "2025-11-20"],
    ["physical", "2025-11-20"],
  ] as const)("of %s reaches back to the midnight of %s", (tier, floor) => {
    expect(depthFloor(callerOf(tier), "1d", NOW_MS)).toBe(day(floor));
  });

  test.each([
    ["2026-10-22", "free"],
    ["2026-10-21", "basic"],
    ["2025-11-21", "basic"],
    ["2025-11-20", "pro"],
    ["1996-01-02", "pro"],
  ] as const)("names the lowest tier that sees anything before %s: %s", (end, tier) => {
    expect(tierReaching("1d", day(end), NOW_MS)).toBe(tier);
    expect(tierReaching("1h", day(end), NOW_MS)).toBeNull();
  });

  test("of Pro has no end for days, and is 30 days for every shorter interval on every tier", () => {
    for (const tier of ["pro", "realtime_pro"] as const) {
      expect(depthFloor(callerOf(tier), "1d", NOW_MS)).toBe(-Infinity);
      for (const interval of INTERVALS.filter((each) => each !== "1d")) {
        expect(depthFloor(callerOf(tier), interval, NOW_MS)).toBe(day("2026-10-21"));
      }
    }
  });
});

test("free callers, with a key or without, see the market 15 minutes late, and all others as it is", () => {
  for (const tier of TIER_NAMES) expect(NOW_MS - asOf(callerOf(tier), NOW_MS)).toBe(tier === "free" ? 900_000 : 0);
});

describe("a calendar year", () => {
  const yearOf = (ms: number): number => new Date(ms).getUTCFullYear();
  const moments = fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2105, 0, 1) });
  const years = fc.integer({ min: 1996, max: 2104 });

  test("is open to a year's depth when none of its days so far is more than 365 days ago, counted day by day", () => {
    fc.assert(
      fc.property(moments, years, fc.constantFrom<TierName>("basic", "physical"), (nowMs, year, tier) => {
        fc.pre(year <= yearOf(nowMs));
        const today = Math.floor(nowMs / DAY_MS);
        let isWhole = true;
        for (let day = Date.UTC(year, 0, 1) / DAY_MS; day <= today && yearOf(day * DAY_MS) === year; day += 1) {
          if (today - day > 365) isWhole = false;
        }
        expect(asked((fail) => requireYear(callerOf(tier), year, nowMs, fail))).toBe(isWhole ? null : "pro");
      }),
      { numRuns: 500 },
    );
  });

  test("is always open to unlimited depth", () => {
    fc.assert(
      fc.property(moments, years, fc.constantFrom<TierName>("pro", "realtime_pro"), (nowMs, year, tier) => {
        expect(asked((fail) => requireYear(callerOf(tier), year, nowMs, fail))).toBeNull();
      }),
    );
  });

  test.each([
    ["2026-12-31T23:59:59.999Z", 2026, null],
    ["2027-01-01T00:00:00Z", 2026, null],
    ["2027-01-01T23:59:59.999Z", 2026, null],
    ["2027-01-02T00:00:00Z", 2026, "pro"],
    ["2028-12-31T23:59:59.999Z", 2028, null],
    ["2029-01-01T00:00:00Z", 2028, "pro"],
    ["2026-11-20T14:03:00Z", 2025, "pro"],
  ])("at %s, %i asks Basic for %s", (now, year, tier) => {
    expect(asked((fail) => requireYear(callerOf("basic"), year, Date.parse(now), fail))).toBe(tier);
  });
});
