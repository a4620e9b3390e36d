import { CURRENCIES } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal, divideExact, toDecimal } from "../number/exact.ts";
import type { FxObservation } from "../readings/observation.ts";
import { fxRate } from "./cross.ts";
import { EMPTY_FX, type FxState, retainFx, withFx } from "./tables.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const MINUTE = 60_000;
const DAY = 86_400_000;

const live = (rates: Record<string, string>, observedAtMs = NOW - MINUTE, more: Partial<FxObservation> = {}): FxObservation => ({
  kind: "fx",
  source: "live-a",
  role: "live",
  base: "USD",
  rates,
  observedAtMs,
  freshForMs: 3 * MINUTE,
  ...more,
});
const reference = (
  rates: Record<string, string>,
  observedAtMs = NOW - DAY,
  more: Partial<FxObservation> = {},
): FxObservation => ({
  ...live(rates, observedAtMs),
  source: "ecb",
  role: "reference",
  base: "EUR",
  freshForMs: 5 * DAY,
  ...more,
});
const state = (...tables: FxObservation[]): FxState => tables.reduce(withFx, EMPTY_FX);
/** Units of `to` per unit of `from`: the quotient of their rates, rounded once. */
const crossRate = (fx: FxState, from: string, to: string): Decimal | null => {
  const [fromLeg, toLeg] = [fxRate(fx, from, NOW), fxRate(fx, to, NOW)];
  return fromLeg && toLeg && toDecimal(divideExact(toLeg, fromLeg));
};

describe("a rate", () => {
  it("of the dollar is one, without any table", () => {
    expect(fxRate(EMPTY_FX, "USD", NOW)).toMatchObject({
      role: "identity",
      source: "identity",
      isStale: false,
      observedAtMs: NOW,
    });
    expect(fxRate(EMPTY_FX, "USD", NOW)?.rate.eq(1)).toBe(true);
  });

  it("comes from the live table while it is fresh, to its last instant", () => {
    const fx = state(live({ EUR: "0.86" }), reference({ USD: "1.25" }));
    expect(fxRate(fx, "EUR", NOW)).toMatchObject({ source: "live-a", role: "live", isStale: false, observedAtMs: NOW - MINUTE });
    expect(fxRate(fx, "EUR", NOW + 2 * MINUTE)?.rate.toFixed()).toBe("0.86");
    expect(fxRate(fx, "EUR", NOW + 2 * MINUTE + 1)).toMatchObject({ source: "ecb", role: "reference", isStale: false });
    expect(fxRate(fx, "EUR", NOW + 2 * MINUTE + 1)?.rate.toFixed()).toBe("0.8");
  });

  it("falls back for the one currency the live table lacks", () => {
    const fx = state(live({ EUR: "0.86" }), reference({ USD: "1.25", JPY: "150" }));
    expect(fxRate(fx, "EUR", NOW)?.role).toBe("live");
    expect(fxRate(fx, "JPY", NOW)).toMatchObject({ role: "reference", isStale: false });
    expect(fxRate(fx, "JPY", NOW)?.rate.toFixed()).toBe("120");
  });

  it("takes the newest reference that has the currency, stale past five days", () => {
    const fx = state(reference({ USD: "1.25", ISK: "150" }, NOW - 6 * DAY), reference({ USD: "1.20" }, NOW - DAY));
    expect(fxRate(fx, "ISK", NOW)).toMatchObject({ role: "reference", isStale: true, observedAtMs: NOW - 6 * DAY });
    expect(fxRate(fx, "ISK", NOW)?.rate.toFixed()).toBe("120");
    expect(fxRate(fx, "ISK", NOW - DAY)?.isStale).toBe(false);
  });

  it("takes a stale live table only when no reference has the currency", () => {
    const fx = state(live({ EUR: "0.86", THB: "33" }, NOW - 3_600_000), reference({ USD: "1.25" }, NOW - 6 * DAY));
    expect(fxRate(fx, "EUR", NOW)).toMatchObject({ role: "reference", isStale: true });
    expect(fxRate(fx, "THB", NOW)).toMatchObject({ role: "live", isStale: true, observedAtMs: NOW - 3_600_000 });
  });

  it("is missing when no table has the currency, or the table has no dollar", () => {
    expect(fxRate(EMPTY_FX, "EUR", NOW)).toBeNull();
    expect(fxRate(state(live({ EUR: "0.86" })), "JPY", NOW)).toBeNull();
    expect(fxRate(state(reference({ JPY: "150" })), "JPY", NOW)).toBeNull();
  });

  it("is never read from a figure that is not a positive decimal, nor from inherited properties", () => {
    const fx = state(live({ EUR: "0", JPY: "-150", THB: "1e2", INR: "" }));
    for (const currency of ["EUR", "JPY", "THB", "INR", "constructor", "toString"]) expect(fxRate(fx, currency, NOW)).toBeNull();
  });

  it("is crossed through the table's base, whichever that is", () => {
    const throughPound = live({ USD: "1.25", JPY: "200" }, NOW, { base: "GBP" });
    expect(fxRate(state(throughPound), "JPY", NOW)?.rate.toFixed()).toBe("160");
    expect(fxRate(state(throughPound), "GBP", NOW)?.rate.toFixed()).toBe("0.8");
  });

  it("has 40 digits where it does not divide evenly", () => {
    expect(fxRate(state(reference({ USD: "1.1684" })), "EUR", NOW)?.rate.precision()).toBe(40);
  });

  it("is the newest of two live sources", () => {
    const fx = state(
      live({ EUR: "0.86", JPY: "150" }, NOW - 2 * MINUTE),
      live({ EUR: "0.87" }, NOW - MINUTE, { source: "live-b" }),
    );
    expect(fxRate(fx, "EUR", NOW)?.source).toBe("live-b");
    expect(fxRate(fx, "JPY", NOW)?.source).toBe("live-a");
  });
});

describe("a peg", () => {
  it("holds the lev at 1.95583 per euro, whatever a feed says", () => {
    const fx = state(live({ EUR: "0.86", BGN: "1.70" }), reference({ USD: "1.25", BGN: "1.9558" }));
    expect(fxRate(fx, "BGN", NOW)?.rate.toFixed()).toBe("1.6820138");
    expect(fxRate(fx, "BGN", NOW)).toMatchObject({ role: "live", source: "live-a", isStale: false });
    expect(fxRate(fx, "BGN", NOW + 3_600_000)).toMatchObject({ role: "reference", source: "ecb" });
    expect(crossRate(fx, "EUR", "BGN")?.toFixed()).toBe("1.95583");
    expect(fxRate(EMPTY_FX, "BGN", NOW)).toBeNull();
  });

  it("holds dirham and riyal to the dollar without any table", () => {
    expect(fxRate(EMPTY_FX, "AED", NOW)).toMatchObject({ role: "peg", source: "peg", isStale: false });
    expect(fxRate(state(live({ SAR: "3.80" })), "SAR", NOW)?.rate.toFixed()).toBe("3.75");
    expect(fxRate(EMPTY_FX, "AED", NOW)?.rate.toFixed()).toBe("3.6725");
  });
});

describe("a rate of a past moment", () => {
  const fx = state(
    live({ EUR: "0.90" }, NOW),
    live({ EUR: "0.88" }, NOW - 15 * MINUTE),
    live({ EUR: "0.86" }, NOW - 20 * MINUTE),
    reference({ USD: "1.14" }, NOW - 10 * MINUTE),
  );

  it("is the one known then", () => {
    expect(fxRate(fx, "EUR", NOW - 15 * MINUTE)?.rate.toFixed()).toBe("0.88");
    expect(fxRate(fx, "EUR", NOW - 15 * MINUTE - 1)).toMatchObject({ isStale: true, observedAtMs: NOW - 20 * MINUTE });
    expect(fxRate(fx, "EUR", NOW - MINUTE)).toMatchObject({ role: "reference" });
    expect(fxRate(fx, "EUR", NOW - 21 * MINUTE)).toBeNull();
  });

  it("does not depend on the order the tables came in", () => {
    const tables = [...fx.live, ...fx.reference];
    expect(state(...tables.toReversed())).toEqual(state(...tables));
  });

  it("counts a correction of the same instant", () => {
    const corrected = withFx(fx, live({ EUR: "0.91" }, NOW));
    expect(corrected.live).toHaveLength(3);
    expect(fxRate(corrected, "EUR", NOW)?.rate.toFixed()).toBe("0.91");
    expect(fxRate(fx, "EUR", NOW)?.rate.toFixed()).toBe("0.9");
  });
});

describe("retainFx", () => {
  it("drops what no later lookup can need, and nothing else", () => {
    const from = NOW - 16 * MINUTE;
    const tables = fc.array(
      fc.record({
        ageMinutes: fc.integer({ min: 0, max: 60 }),
        isLive: fc.boolean(),
        currencies: fc.subarray(["USD", "EUR", "JPY", "THB"]),
        source: fc.constantFrom("quick", "slow"),
        base: fc.constantFrom("USD", "EUR"),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(tables, (list) => {
        const fx = list.reduce((sum, { ageMinutes, isLive, currencies, source, base }) => {
          const rates = Object.fromEntries(currencies.map((currency) => [currency, String(1 + ageMinutes)]));
          const freshForMs = (source === "quick" ? 3 : 40) * MINUTE;
          const role = isLive ? "live" : "reference";
          return withFx(sum, live(rates, NOW - ageMinutes * MINUTE, { source, role, base, freshForMs }));
        }, EMPTY_FX);
        const kept = retainFx(fx, from);
        for (const tables of [kept.live, kept.reference]) {
          const isPast = (table: FxObservation): boolean =>
            table.observedAtMs <= from && (table.role === "reference" || table.observedAtMs + table.freshForMs < from);
          expect(tables.filter(isPast).length).toBeLessThanOrEqual(8);
        }
        for (const currency of ["EUR", "JPY", "THB"]) {
          for (let atMs = from; atMs <= NOW; atMs += MINUTE)
            expect(fxRate(kept, currency, atMs)).toEqual(fxRate(fx, currency, atMs));
        }
      }),
    );
  });
});

describe("the quotient of two rates", () => {
  it("is exact where the quotient is, so that ties stay ties", () => {
    const fx = state(reference({ USD: "1.1684", GBP: "0.87058" }));
    expect(crossRate(fx, "EUR", "GBP")?.toFixed()).toBe("0.87058");
    expect(crossRate(fx, "EUR", "USD")?.toFixed()).toBe("1.1684");
    expect(crossRate(fx, "BGN", "BGN")?.toFixed()).toBe("1");
  });

  it("resolves each leg on its own", () => {
    const fx = state(live({ EUR: "0.75" }), reference({ USD: "1.25", JPY: "150" }));
    expect(crossRate(fx, "EUR", "JPY")?.toFixed()).toBe("160");
    expect(crossRate(fx, "EUR", "THB")).toBeNull();
    expect(crossRate(fx, "THB", "EUR")).toBeNull();
  });

  it("times the rate of the other direction is one within one unit of the last place, for any two of the 31", () => {
    const rate = fc
      .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: 0, max: 6 }))
      .map(([units, scale]) => new Decimal(units).div(new Decimal(10).pow(scale)).toFixed());
    const currencies = fc.constantFrom(...CURRENCIES);
    const tables = fc.record({
      base: fc.constantFrom("USD", "EUR", "GBP"),
      rates: fc.array(rate, { minLength: 31, maxLength: 31 }),
    });
    fc.assert(
      fc.property(tables, tables, fc.nat({ max: 30 }), currencies, currencies, (a, b, split, from, to) => {
        const named = (rates: string[], keep: (index: number) => boolean): Record<string, string> =>
          Object.fromEntries(
            CURRENCIES.map((currency, index) => [currency, rates[index] ?? "1"]).filter((_, index) => keep(index)),
          );
        const fx = state(
          live({ ...named(a.rates, (index) => index < split), USD: "1.5" }, NOW, { base: a.base }),
          reference({ ...named(b.rates, (index) => index >= split), USD: "1.5" }, NOW, { base: b.base }),
        );
        const there = crossRate(fx, from, to);
        const back = crossRate(fx, to, from);
        if (!there || !back) throw new Error("every leg is known");
        expect(there.mul(back).minus(1).abs().lte("1e-39")).toBe(true);
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 1_000 : 250 },
    );
  });
});
