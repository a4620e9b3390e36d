/** Reference prices: the conversion, the rules, and what a reference supports. */
import { describe, expect, it } from "vitest";
import type { ReferenceObservation } from "../readings/observation.ts";
import { referenceDay, referencePrice, supports, validateReference } from "./reference-price.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const DAY_MS = 86_400_000;
const reference = (change: Partial<ReferenceObservation> = {}): ReferenceObservation => ({
  kind: "reference",
  source: "bank",
  metal: "XAU",
  perGram: "10296.75",
  perUsd: "80.0000",
  observedAtMs: Date.parse("2026-11-19T00:00:00Z"),
  ...change,
});
const rule = (change: Partial<ReferenceObservation>, known: string | null = null): string => {
  const verdict = validateReference(reference(change), { nowMs: NOW_MS, freshForMs: 5 * DAY_MS, known });
  return verdict.ok ? "ok" : verdict.rule;
};

describe("a reference price", () => {
  it("is the price of a gram times the grams of a troy ounce over the dollar, rounded half up once", () => {
    // 10296.75 × 31.1034768 / 80 = 4003.309059255
    expect(referencePrice(reference())).toBe("4003.3091");
    // Exactly 1.00005.
    expect(referencePrice(reference({ perGram: "1.00005", perUsd: "31.1034768" }))).toBe("1.0001");
    expect(referencePrice(reference({ perGram: "1", perUsd: "3" }))).toBe("10.3678");
  });

  it("passes within the metal's range and the source's freshness, whatever the market does", () => {
    expect(rule({})).toBe("ok");
    expect(rule({}, "2800")).toBe("ok");
    expect(rule({ metal: "XPT", perGram: "4171.9" })).toBe("ok");
  });

  it.each([
    ["a comma", { perGram: "10296,75" }, "malformed"],
    ["no dollar", { perUsd: "" }, "malformed"],
    ["a price of nothing", { perGram: "0.00" }, "not_positive"],
    ["a dollar that costs nothing", { perUsd: "0" }, "not_positive"],
    ["a negative price", { perGram: "-10296.75" }, "not_positive"],
    ["tomorrow's price", { observedAtMs: Date.parse("2026-11-21T00:00:00Z") }, "from_the_future"],
    ["last week's price", { observedAtMs: NOW_MS - 7 * DAY_MS - 1 }, "too_old"],
    ["troy ounces", { perGram: "320264.72" }, "out_of_range"],
    ["kilograms", { perGram: "10296750" }, "out_of_range"],
    ["an ounce's gram", { perGram: "331.05" }, "out_of_range"],
  ])("is refused with %s", (_what, change, expected) => {
    expect(rule(change)).toBe(expected);
  });

  it.each([
    ["pounds per ounce", "52596.6", "unit_slip"],
    ["troy ounces", "112814", "unit_slip"],
    ["a fifth", "725.41", "unit_slip"],
    ["a crash", "2000", "ok"],
  ])("within the range is refused when %s are not what is known of the metal", (_what, perGram, expected) => {
    // Palladium's range spans a factor of a thousand.
    expect(rule({ metal: "XPD", perGram }, "1410.19")).toBe(expected);
  });

  it("supports a price within the band of two witnesses a day and a half apart, and no other", () => {
    // 5 % and 36 hours of 5 % a day: 12.5 % of 4003.3091 is 500.4136.
    const at = (price: string, nowMs = NOW_MS) => supports(reference(), { instrument: "XAU-USD-SPOT", price, nowMs });
    expect(at("4503.72")).toBe(true);
    expect(at("4503.73")).toBe(false);
    expect(at("3502.90")).toBe(true);
    expect(at("3502.89")).toBe(false);
    expect(at("4503.73", NOW_MS + DAY_MS)).toBe(true);
  });

  it("is the bar of its day, its close four times over", () => {
    expect(referenceDay(reference({ metal: "XPD", perGram: "3627.1" }))).toEqual({
      kind: "bar",
      source: "bank",
      symbol: "XPD-USD-SPOT",
      interval: "1d",
      barStartMs: Date.parse("2026-11-19T00:00:00Z"),
      open: "1410.1928",
      high: "1410.1928",
      low: "1410.1928",
      close: "1410.1928",
      volume: null,
      observedAtMs: Date.parse("2026-11-19T00:00:00Z"),
    });
  });
});
