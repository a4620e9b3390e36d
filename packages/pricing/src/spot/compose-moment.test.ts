import { CURRENCIES } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_FX, withFx } from "../fx/state.ts";
import { INSTRUMENTS } from "../market/symbols.ts";
import { Decimal, dec, formatPrice } from "../number/decimal.ts";
import type { SourceInfo, SpotObservation } from "../readings/observation.ts";
import { composeMoment } from "./compose-moment.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const keys = ["alpha", "beta", "gamma"];
const sources = new Map(
  keys.map((key): [string, SourceInfo] => [
    key,
    { key, displayName: key, license: "simulated", role: "primary", intervalMs: 1_000, freshForMs: 60_000 },
  ]),
);
const readings = (price: (key: string) => string): SpotObservation[] =>
  INSTRUMENTS.flatMap((instrument) =>
    keys.map((source) => ({ kind: "spot", source, instrument, price: price(source), observedAtMs: NOW }) as const),
  );

describe("composeMoment", () => {
  it("prices every instrument, and gold in every currency that has a rate", () => {
    const fx = withFx(EMPTY_FX, {
      kind: "fx",
      source: "live-a",
      role: "live",
      base: "USD",
      rates: { EUR: "0.86", JPY: "156.2" },
      observedAtMs: NOW,
      freshForMs: 180_000,
    });
    const { prices, gold } = composeMoment(
      readings(() => "4003.20"),
      sources,
      fx,
      NOW,
    );
    expect(prices.map(({ instrument }) => instrument)).toEqual([...INSTRUMENTS]);
    expect(gold).toEqual({ BGN: "6733.44", EUR: "3442.75", JPY: "625299.84", USD: "4003.20" });
  });

  it("is empty when nothing is fresh", () => {
    expect(composeMoment([], sources, EMPTY_FX, NOW)).toEqual({ prices: [], gold: {} });
  });

  it("agrees with decimal.js, step by step, on gold in every currency", () => {
    const cents = fc.integer({ min: 20_000, max: 5_000_000 });
    const rates = fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 31, maxLength: 31 });
    const base = fc.constantFrom("USD", "EUR", "GBP");
    fc.assert(
      fc.property(fc.tuple(cents, cents, cents), rates, fc.integer({ min: 0, max: 6 }), base, ([a, b, c], units, scale, base) => {
        const figures: Record<string, Decimal> = { alpha: dec(a).div(100), beta: dec(b).div(100), gamma: dec(c).div(100) };
        const written = CURRENCIES.map((currency, place): [string, string] => [
          currency,
          currency === base
            ? "1"
            : dec(units[place] ?? 1)
                .div(new Decimal(10).pow(scale))
                .toFixed(),
        ]);
        const table = Object.fromEntries(written);
        const fx = withFx(EMPTY_FX, {
          kind: "fx",
          source: "live-a",
          role: "live",
          base,
          rates: table,
          observedAtMs: NOW,
          freshForMs: 1,
        });
        const { gold } = composeMoment(
          readings((key) => figures[key]?.toFixed() ?? "1"),
          sources,
          fx,
          NOW,
        );

        const median = Object.values(figures).sort((x, y) => x.cmp(y))[1] ?? dec(0);
        const perBase = (currency: string): Decimal =>
          currency === "BGN" ? dec("1.95583").mul(table.EUR ?? "1") : dec(table[currency] ?? "1");
        for (const currency of CURRENCIES) {
          const exact = currency === "USD" ? median : median.mul(perBase(currency)).div(table.USD ?? "1");
          expect(gold[currency]).toBe(formatPrice(exact));
        }
      }),
      { numRuns: 300 },
    );
  });
});
