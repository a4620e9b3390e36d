/** Currency tables with wrong but well-formed figures: none is ever used when there is a reference of the last seven days. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FxObservation } from "../readings/observation.ts";
import { fxRate } from "./cross.ts";
import { EMPTY_FX, type FxState, retainFx, withFx } from "./tables.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

const live = (rates: Record<string, string>, more: Partial<FxObservation> = {}): FxObservation => ({
  kind: "fx",
  source: "live-a",
  role: "live",
  base: "USD",
  rates,
  observedAtMs: NOW - MINUTE,
  freshForMs: 3 * MINUTE,
  ...more,
});
/** EUR 0.8, JPY 160, GBP 0.75, DKK 5.968, HKD 7.8, TRY 45, ZAR 17 and IDR 16500 per dollar. */
const RATES = {
  USD: "1.25",
  JPY: "200",
  GBP: "0.9375",
  DKK: "7.46",
  HKD: "9.75",
  TRY: "56.25",
  ZAR: "21.25",
  IDR: "20625",
} as const;
const reference = (more: Partial<FxObservation> = {}): FxObservation => ({
  ...live(RATES),
  source: "ecb",
  role: "reference",
  base: "EUR",
  observedAtMs: NOW - DAY,
  freshForMs: 5 * DAY,
  ...more,
});
const state = (...tables: FxObservation[]): FxState => tables.reduce(withFx, EMPTY_FX);
const rateOf = (fx: FxState, currency: string, atMs = NOW): string => {
  const rate = fxRate(fx, currency, atMs);
  return rate ? `${rate.role} ${rate.rate.toDecimalPlaces(6).toFixed()}` : "none";
};
const from = (base: string, rates: Record<string, string>): FxObservation => live(rates, { base });

describe("beside a reference of the last seven days", () => {
  it.each<[string, FxObservation, string, string]>([
    ["a sound leg is used", live({ EUR: "0.81" }), "EUR", "live 0.81"],
    ["an inverted euro is not", live({ EUR: "1.25" }), "EUR", "reference 0.8"],
    ["an inverted yen is not", live({ JPY: "0.00625" }), "JPY", "reference 160"],
    ["a yen a hundred times too small is not", live({ JPY: "1.60" }), "JPY", "reference 160"],
    ["a rupiah in thousands is not", live({ IDR: "16.5" }), "IDR", "reference 16500"],
    ["a pound in pence is not", live({ GBP: "75" }), "GBP", "reference 0.75"],
    ["another currency's figure is not", live({ GBP: "160", JPY: "0.75" }), "GBP", "reference 0.75"],
    ["a rate of years ago is not", live({ ZAR: "6.1" }), "ZAR", "reference 17"],
    ["a leg ten percent above is used", live({ EUR: "0.88" }), "EUR", "live 0.88"],
    ["a leg a hair further above is not", live({ EUR: "0.880001" }), "EUR", "reference 0.8"],
    ["a leg ten percent below is used", live({ EUR: "0.72" }), "EUR", "live 0.72"],
    ["a leg a hair further below is not", live({ EUR: "0.719999" }), "EUR", "reference 0.8"],
    ["a wrong leg costs no other", live({ EUR: "1.25", JPY: "161" }), "JPY", "live 161"],
    ["per euro, a sound leg is used", from("EUR", { USD: "1.24", JPY: "199.64" }), "JPY", "live 161"],
    ["per euro, an inverted dollar spoils every leg", from("EUR", { USD: "0.8", JPY: "200" }), "JPY", "reference 160"],
    ["per euro, an inverted dollar spoils the euro", from("EUR", { USD: "0.8", JPY: "200" }), "EUR", "reference 0.8"],
    ["per euro, legs that are per dollar are not used", from("EUR", { USD: "1.25", JPY: "160" }), "JPY", "reference 160"],
    ["per pound, an inverted euro is not", from("GBP", { USD: "1.3333", EUR: "0.9375" }), "EUR", "reference 0.8"],
    ["a Hong Kong dollar within a percent of its peg is used", live({ HKD: "7.84" }), "HKD", "live 7.84"],
    ["a Hong Kong dollar further from its peg is not", live({ HKD: "7.88" }), "HKD", "reference 7.8"],
    ["a krone that moves with the euro is used", live({ EUR: "0.84", DKK: "6.2664" }), "DKK", "live 6.2664"],
    ["a krone that leaves the euro is not", live({ EUR: "0.8", DKK: "6.1" }), "DKK", "reference 5.968"],
    ["an inverted euro does not cost the krone", live({ EUR: "1.25", DKK: "5.97" }), "DKK", "live 5.97"],
    ["the lev follows the euro that is used", live({ EUR: "1.25", BGN: "2.44" }), "BGN", "reference 1.564664"],
    ["the dirham stands by its peg", live({ AED: "36.7" }), "AED", "peg 3.6725"],
  ])("%s", (_, table, currency, expected) => {
    expect(rateOf(state(table, reference()), currency)).toBe(expected);
  });

  it("repeating an inverted rate does not make it accepted, from one source or several", () => {
    const repeated = Array.from({ length: 20 }, (_, back) =>
      live({ EUR: "1.25" }, { observedAtMs: NOW - back * 10 * SECOND, source: back % 2 === 0 ? "live-a" : "live-b" }),
    );
    const fx = state(reference(), ...repeated);
    for (let atMs = NOW - 5 * MINUTE; atMs <= NOW; atMs += 10 * SECOND) expect(rateOf(fx, "EUR", atMs)).toBe("reference 0.8");
  });

  it("an older table that is fresh and sound is used instead of a newer one that is wrong", () => {
    const fx = state(live({ EUR: "0.81" }, { observedAtMs: NOW - 2 * MINUTE }), live({ EUR: "1.25" }), reference());
    expect(rateOf(fx, "EUR")).toBe("live 0.81");
    expect(rateOf(retainFx(fx, NOW), "EUR")).toBe("live 0.81");
    expect(rateOf(fx, "EUR", NOW + MINUTE + 1)).toBe("reference 0.8");
  });

  it("a table in use is dropped as soon as a reference contradicts it, for the time before the reference as well", () => {
    const before = state(live({ EUR: "1.25", JPY: "161" }));
    expect(rateOf(before, "EUR")).toBe("live 1.25");
    const after = withFx(before, reference({ observedAtMs: NOW - 30 * SECOND }));
    expect(rateOf(after, "EUR")).toBe("reference 0.8");
    expect(rateOf(after, "JPY")).toBe("live 161");
    expect(rateOf(after, "EUR", NOW - 31 * SECOND)).toBe("none");
  });

  it("a devaluation is used as soon as the reference moves too", () => {
    const yesterday = state(live({ TRY: "60" }), reference());
    expect(rateOf(yesterday, "TRY")).toBe("reference 45");
    const moved = reference({ rates: { ...RATES, TRY: "74" }, observedAtMs: NOW - 2 * MINUTE });
    expect(rateOf(withFx(yesterday, moved), "TRY")).toBe("live 60");
  });

  it("a broken peg is used as soon as the reference moves too", () => {
    const fx = state(
      live({ HKD: "9" }),
      reference(),
      reference({ rates: { ...RATES, HKD: "11.2" }, observedAtMs: NOW - DAY / 2 }),
    );
    expect(rateOf(fx, "HKD")).toBe("live 9");
  });
});

describe("a reference", () => {
  it("serves for seven days and not a moment longer", () => {
    const fx = state(reference({ observedAtMs: NOW - 7 * DAY }));
    expect(rateOf(fx, "EUR")).toBe("reference 0.8");
    expect(rateOf(fx, "EUR", NOW + 1)).toBe("none");
  });

  it("of 1999 is not used as a rate, alone or beside a later one without the currency", () => {
    const old = reference({ observedAtMs: Date.UTC(1999, 0, 4), rates: { USD: "1.1789", ZAR: "6.9358" } });
    expect(rateOf(state(old), "ZAR")).toBe("none");
    expect(rateOf(state(old), "EUR")).toBe("none");
    expect(rateOf(state(old, reference({ rates: { USD: "1.25" } })), "ZAR")).toBe("none");
  });

  it("of last week still serves for a currency that a later one lacks", () => {
    const fx = state(reference({ observedAtMs: NOW - 6 * DAY }), reference({ rates: { USD: "1.2" } }));
    expect(rateOf(fx, "ZAR")).toBe("reference 17");
  });
});

describe("without a reference", () => {
  it("a live table past its freshness serves for seven days, stale", () => {
    const fx = state(live({ EUR: "0.8" }, { observedAtMs: NOW - 7 * DAY }), reference({ observedAtMs: NOW - 30 * DAY }));
    expect(fxRate(fx, "EUR", NOW)).toMatchObject({ role: "live", isStale: true });
    expect(rateOf(fx, "EUR", NOW + 1)).toBe("none");
  });
});

describe("whatever live tables arrive", () => {
  const TRUTH: Readonly<Record<string, number>> = {
    EUR: 0.8,
    JPY: 160,
    GBP: 0.75,
    DKK: 5.968,
    HKD: 7.8,
    TRY: 45,
    ZAR: 17,
    IDR: 16_500,
  };
  const names = Object.keys(TRUTH);
  const factor = fc.oneof(
    fc.constantFrom(1, 0.95, 1.05, 0.91, 1.09, 0.89, 1.11, 0.1, 10, 100, 1_000, 0.01),
    fc.double({ min: 0.01, max: 100, noNaN: true }),
  );
  /** One leg as a faulty or a correct source states it: as is or inverted. */
  const leg = fc.record({ currency: fc.constantFrom(...names), factor, inverted: fc.boolean() });
  const table = fc
    .record({
      base: fc.constantFrom("USD", "EUR", "GBP"),
      dollar: factor,
      legs: fc.array(leg, { maxLength: 8 }),
      ageSeconds: fc.integer({ min: 0, max: 3_600 }),
      source: fc.constantFrom("live-a", "live-b"),
      freshMinutes: fc.constantFrom(1, 3, 40),
    })
    .map(({ base, dollar, legs, ageSeconds, source, freshMinutes }): FxObservation => {
      const worth = base === "USD" ? 1 : (TRUTH[base] ?? 1);
      const stated = ({ currency, factor: by, inverted }: { currency: string; factor: number; inverted: boolean }): string => {
        const figure = ((TRUTH[currency] ?? 1) / worth) * by;
        return (inverted ? 1 / figure : figure).toFixed(12);
      };
      const rates = Object.fromEntries(legs.map((each) => [each.currency, stated(each)]));
      if (base !== "USD") rates.USD = (dollar / worth).toFixed(12);
      return live(rates, { base, source, observedAtMs: NOW - ageSeconds * SECOND, freshForMs: freshMinutes * MINUTE });
    });

  it("no leg more than a tenth off a good reference is used at any instant, and dropping tables never lets one through", () => {
    const event = fc.oneof({ weight: 8, arbitrary: table }, { weight: 1, arbitrary: fc.constant(null) });
    const days = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), days, (events, ageDays) => {
        const good = reference({ observedAtMs: NOW - ageDays * DAY - 2 * 3_600_000 });
        // The reference arrives somewhere in between, or at the end.
        const whole = withFx(
          events.reduce((fx, each) => withFx(fx, each ?? good), EMPTY_FX),
          good,
        );
        const kept = retainFx(whole, NOW - 20 * MINUTE);
        for (let atMs = NOW - 20 * MINUTE; atMs <= NOW; atMs += 97 * SECOND) {
          for (const currency of names) {
            const rate = fxRate(whole, currency, atMs);
            if (!rate) throw new Error("the reference has every currency");
            const off = Math.abs(rate.rate.toNumber() / (TRUTH[currency] ?? 1) - 1);
            expect(off).toBeLessThanOrEqual(0.1 + 1e-9);
            expect(fxRate(kept, currency, atMs)).toEqual(rate);
          }
        }
      }),
      { numRuns: process.env.TEST_DEPTH === "deep" ? 500 : 100 },
    );
  });
});
