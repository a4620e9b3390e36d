import { describe, expect, test } from "vitest";
import {
  DEFAULT_CATALOG,
  DELAY_MS,
  INTRADAY_DEPTH_DAYS,
  overlayCatalog,
  TIER_NAMES,
  TIER_REACH,
  tierAtLeast,
  tierOverrides,
  tierPublic,
} from "./tiers.ts";

describe("the shipped catalog", () => {
  test("has five tiers, lowest first, each in the form it is shown in", () => {
    expect(TIER_NAMES).toEqual(["free", "basic", "physical", "pro", "realtime_pro"]);
    for (const name of TIER_NAMES) {
      expect(tierPublic.strict().safeParse(DEFAULT_CATALOG.tiers[name]).success, name).toBe(true);
      expect(DEFAULT_CATALOG.tiers[name].name).toBe(name);
    }
  });

  test("never gives a higher tier less than a lower one", () => {
    for (const [index, name] of TIER_NAMES.entries()) {
      const lower = TIER_NAMES[index - 1];
      if (!lower) continue;
      const [less, more] = [DEFAULT_CATALOG.tiers[lower], DEFAULT_CATALOG.tiers[name]];
      for (const field of ["rate_limit_per_minute", "monthly_quota", "max_concurrent_streams", "max_alerts"] as const) {
        expect(more[field], `${name} ${field}`).toBeGreaterThanOrEqual(less[field]);
      }
      expect(more.allowed_bases).toEqual(expect.arrayContaining(less.allowed_bases));
      expect(more.allowed_contracts).toEqual(expect.arrayContaining(less.allowed_contracts));
      expect(Number(more.monthly_price_usd)).toBeGreaterThan(Number(less.monthly_price_usd));
      expect(TIER_REACH[name].delayMs).toBeLessThanOrEqual(TIER_REACH[lower].delayMs);
      const [deep, shallow] = [TIER_REACH[name].dailyDepthDays, TIER_REACH[lower].dailyDepthDays];
      expect(deep === null || (shallow !== null && deep >= shallow)).toBe(true);
    }
  });

  test("has the figures the interface names", () => {
    expect(DEFAULT_CATALOG.keyless).toEqual({ tier: "free", perMinute: 10, perHour: 100 });
    expect(DEFAULT_CATALOG.tiers.free.monthly_quota).toBe(5_000);
    expect(DEFAULT_CATALOG.tiers.realtime_pro.max_concurrent_streams).toBe(10);
    expect(TIER_NAMES.map((name) => DEFAULT_CATALOG.tiers[name].max_alerts)).toEqual([3, 10, 20, 100, 1_000]);
    expect(TIER_NAMES.filter((name) => DEFAULT_CATALOG.tiers[name].hidden)).toEqual(["basic"]);
    expect(DELAY_MS).toBe(900_000);
    expect(TIER_NAMES.filter((name) => TIER_REACH[name].delayMs > 0)).toEqual(["free"]);
    expect(TIER_NAMES.map((name) => TIER_REACH[name].dailyDepthDays)).toEqual([30, 365, 365, null, null]);
    expect(TIER_NAMES.filter((name) => TIER_REACH[name].intraday)).toEqual(["pro", "realtime_pro"]);
    expect(INTRADAY_DEPTH_DAYS).toBe(30);
  });
});

test("a tier includes itself and those before it", () => {
  expect(tierAtLeast("pro", "pro")).toBe(true);
  expect(tierAtLeast("pro", "physical")).toBe(true);
  expect(tierAtLeast("physical", "pro")).toBe(false);
  expect(tierAtLeast("free", "basic")).toBe(false);
});

describe("an operator's file", () => {
  test("changes what it names and keeps the rest as shipped", () => {
    const file = tierOverrides.parse({ free: { monthly_quota: 20 }, keyless: { per_minute: 3 } });
    const catalog = overlayCatalog(file);
    expect(catalog.tiers.free).toEqual({ ...DEFAULT_CATALOG.tiers.free, monthly_quota: 20 });
    expect(catalog.tiers.pro).toEqual(DEFAULT_CATALOG.tiers.pro);
    expect(catalog.keyless).toEqual({ tier: "free", perMinute: 3, perHour: 100 });
    expect(overlayCatalog({})).toEqual(DEFAULT_CATALOG);
    expect(DEFAULT_CATALOG.tiers.free.monthly_quota, "the shipped one stays as it is").toBe(5_000);
  });

  test.each<[unknown, string]>([
    [{ premium: {} }, "a tier that does not exist"],
    [{ free: { quota: 5 } }, "a field that does not exist"],
    [{ free: { monthly_quota: -1 } }, "a negative quota"],
    [{ free: { monthly_quota: "20" } }, "a quota in quotes"],
    [{ free: { name: "gratis" } }, "another name"],
    [{ free: { rate_limit_per_minute: 0 } }, "a limit that lets nobody in"],
    [{ keyless: { per_minute: 0 } }, "a keyless limit that lets nobody in"],
    [{ keyless: { perMinute: 5 } }, "a field in another case"],
    [{ free: { allowed_bases: ["XPT"] } }, "a metal nobody prices"],
    [[], "a list"],
  ])("with %j is refused: %s", (file) => {
    expect(tierOverrides.safeParse(file).success).toBe(false);
  });
});
