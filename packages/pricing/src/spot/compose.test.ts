import { CURRENCIES, type Currency } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fxRate } from "../fx/cross.ts";
import { EMPTY_FX, withFx } from "../fx/tables.ts";
import { Decimal, dec } from "../number/exact.ts";
import { presentCrossed } from "../number/present.ts";
import { nextChangeMs } from "../readings/freshness.ts";
import type { SourceInfo, SourceRole, SpotObservation } from "../readings/observation.ts";
import { priceDecimals, shown } from "../testing/shown.ts";
import { compose } from "./compose.ts";
import { verdictOf } from "./price-source.ts";

const NOW = Date.UTC(2026, 10, 20, 14);
const FRESH_FOR = 60_000;

const info = (key: string, role: SourceRole = "primary", freshForMs = FRESH_FOR): [string, SourceInfo] => [
  key,
  { key, displayName: key.toUpperCase(), license: "attribution", role, intervalMs: 20_000, freshForMs },
];
const sources = new Map([
  info("alpha"),
  info("beta"),
  info("gamma"),
  info("delta"),
  info("lender", "council", 36 * 3_600_000),
  info("token", "informational"),
]);

const read = (source: string, price: string, more: Partial<SpotObservation> = {}): SpotObservation => ({
  kind: "spot",
  source,
  instrument: "XAU-USD-SPOT",
  price,
  observedAtMs: NOW - 1_000,
  ...more,
});
const composed = (...readings: SpotObservation[]) => compose("XAU-USD-SPOT", readings, sources, NOW);

describe("the price", () => {
  it("is the one fresh primary's, with its published digits", () => {
    expect(composed(read("alpha", "4003.20"))).toMatchObject({ price: "4003.20", basis: "primary", computedAtMs: NOW });
  });

  it("is the middle one of three", () => {
    expect(composed(read("alpha", "4003.20"), read("beta", "4000"), read("gamma", "4010.5"))?.price).toBe("4003.20");
  });

  it("is the exact mean of the two middle ones of an even number", () => {
    expect(composed(read("alpha", "4003.20"), read("beta", "4003.21"))?.price).toBe("4003.205");
    expect(composed(read("alpha", "1.1"), read("beta", "9"), read("gamma", "1.2"), read("delta", "0.5"))?.price).toBe("1.15");
  });

  it("orders sources by value, not by their digits", () => {
    expect(composed(read("alpha", "999.9"), read("beta", "1000.1"), read("gamma", "10000"))?.price).toBe("1000.1");
  });

  it("includes the last instant of freshness and nothing past it", () => {
    expect(composed(read("alpha", "4003.20", { observedAtMs: NOW - FRESH_FOR }))?.price).toBe("4003.20");
    expect(composed(read("alpha", "4003.20", { observedAtMs: NOW - FRESH_FOR - 1 }))).toBeNull();
  });

  it("leaves stale primaries out but lists them", () => {
    const price = composed(read("alpha", "4003.20"), read("beta", "1", { observedAtMs: NOW - FRESH_FOR - 1 }));
    expect(price?.price).toBe("4003.20");
    expect(price?.sources.map(({ source, freshUntilMs }) => [source, freshUntilMs])).toEqual([
      ["alpha", NOW - 1_000 + FRESH_FOR],
      ["beta", NOW - 1],
    ]);
  });

  it("never comes from an informational source, which is still listed", () => {
    const price = composed(read("alpha", "4003.20"), read("token", "4400"));
    expect(price).toMatchObject({ price: "4003.20", conf: "0.00", divergenceBps: null });
    expect(price?.sources.at(-1)).toMatchObject({ source: "token", role: "informational", displayName: "TOKEN" });
    expect(composed(read("token", "4400"))).toBeNull();
  });

  it("comes from the council only when no primary is fresh", () => {
    const rate = read("lender", "3990.10", { observedAtMs: NOW - 20 * 3_600_000 });
    expect(composed(read("alpha", "4003.20"), rate)).toMatchObject({ price: "4003.20", basis: "primary" });
    const stale = read("alpha", "4003.20", { observedAtMs: NOW - 3_600_000 });
    expect(composed(stale, rate)).toMatchObject({
      price: "3990.10",
      basis: "council",
      divergenceBps: null,
      freshUntilMs: rate.observedAtMs + 36 * 3_600_000,
    });
  });

  it("is missing when neither a primary nor the council is fresh", () => {
    expect(composed()).toBeNull();
    expect(composed(read("lender", "3990", { observedAtMs: NOW - 37 * 3_600_000 }))).toBeNull();
  });

  it("ignores other instruments, unknown sources and older readings of one source", () => {
    const price = composed(
      read("alpha", "4003.20"),
      read("alpha", "1", { observedAtMs: NOW - 2_000 }),
      read("beta", "50", { instrument: "XAG-USD-SPOT" }),
      read("stranger", "1"),
    );
    expect(price?.price).toBe("4003.20");
    expect(price?.sources).toHaveLength(1);
  });

  it("is missing rather than zero", () => {
    expect(composed(read("alpha", "0.00"))).toBeNull();
  });
});

describe("bid and ask", () => {
  it("are the medians of the fresh primaries that state both", () => {
    const price = composed(
      read("alpha", "4003.20", { bid: "4003.00", ask: "4003.40" }),
      read("beta", "4003.30", { bid: "4003.20", ask: "4003.41" }),
      read("gamma", "4003.10"),
      read("delta", "4003.25", { bid: "4003.20" }),
    );
    expect(price).toMatchObject({ bid: "4003.10", ask: "4003.405", price: "4003.225" });
  });

  it("are absent when no primary states both", () => {
    const price = composed(read("alpha", "4003.20"), read("beta", "4003.30", { ask: "4003.41" }));
    expect(price).not.toHaveProperty("bid");
    expect(price).not.toHaveProperty("ask");
  });

  it("are widened to hold the price", () => {
    const price = composed(read("alpha", "4000", { bid: "3999.9", ask: "4000.1" }), read("beta", "4010"));
    expect(price).toMatchObject({ price: "4005.0", bid: "3999.9", ask: "4005.0" });
  });
});

describe("conf", () => {
  it("is half the median spread when that is larger", () => {
    expect(composed(read("alpha", "4003.20", { bid: "4003.00", ask: "4003.40" }))?.conf).toBe("0.20");
  });

  it("is half the range of the sources when that is larger", () => {
    const price = composed(read("alpha", "4003.20", { bid: "4003.19", ask: "4003.21" }), read("beta", "4003.95"));
    expect(price?.conf).toBe("0.375");
  });

  it("is zero with one source that states no spread", () => {
    expect(composed(read("alpha", "4003"))?.conf).toBe("0");
  });
});

describe("divergence", () => {
  it("is the range over the median in basis points, one decimal, rounded half up", () => {
    expect(composed(read("alpha", "4000"), read("beta", "4020"))?.divergenceBps).toBe(49.9);
    expect(composed(read("alpha", "10000"), read("beta", "10000"), read("gamma", "10000.05"))?.divergenceBps).toBe(0.1);
    expect(composed(read("alpha", "10000"), read("beta", "10000"), read("gamma", "10000.04"))?.divergenceBps).toBe(0);
  });

  it("is missing with fewer than two fresh primaries", () => {
    expect(composed(read("alpha", "4000"), read("lender", "3000"))?.divergenceBps).toBeNull();
  });
});

describe("volume", () => {
  const gold = (source: string, volume: string, observedAtMs: number): SpotObservation =>
    read(source, "4010.5", { instrument: "XAU-USD-FUTURES", volume, observedAtMs });

  it("is what one source reported since the last tick, as others report the same trades", () => {
    const first = gold("alpha", "12", NOW - 3_000);
    const second = gold("alpha", "3.5", NOW - 1_000);
    const other = gold("beta", "16", NOW - 1_000);
    const price = compose("XAU-USD-FUTURES", [second, other], sources, NOW, [first, second, other]);
    expect(price?.volume).toBe("15.5");
  });

  it("is absent without readings since the last tick, and for spot", () => {
    expect(compose("XAU-USD-FUTURES", [gold("alpha", "12", NOW)], sources, NOW)).not.toHaveProperty("volume");
    expect(compose("XAU-USD-SPOT", [read("alpha", "4003")], sources, NOW, [read("alpha", "4003")])).not.toHaveProperty("volume");
  });
});

describe("freshness", () => {
  it("of the price lasts as long as one fresh primary's", () => {
    const price = composed(
      read("alpha", "4000", { observedAtMs: NOW - 50_000 }),
      read("beta", "4001", { observedAtMs: NOW - 10_000 }),
    );
    expect(price?.freshUntilMs).toBe(NOW + 50_000);
  });

  it("next changes when the first fresh reading turns stale", () => {
    const readings = [
      read("alpha", "4000", { observedAtMs: NOW - 50_000 }),
      read("beta", "4001", { observedAtMs: NOW - 70_000 }),
    ];
    expect(nextChangeMs("XAU-USD-SPOT", readings, sources, NOW)).toBe(NOW + 10_001);
    expect(compose("XAU-USD-SPOT", readings, sources, NOW + 10_000)).not.toBeNull();
    expect(compose("XAU-USD-SPOT", readings, sources, NOW + 10_001)).toBeNull();
    expect(nextChangeMs("XAU-USD-SPOT", readings, sources, NOW + 10_001)).toBeNull();
  });
});

describe("any readings", () => {
  const cents = fc.integer({ min: 390_000, max: 410_000 });
  const reading = fc.tuple(
    fc.constantFrom("alpha", "beta", "gamma", "delta"),
    cents,
    fc.option(fc.integer({ min: 0, max: 300 })),
  );
  const text = (figure: number): string => new Decimal(figure).div(100).toFixed(2);
  const readings = fc
    .uniqueArray(reading, { selector: ([source]) => source, minLength: 1 })
    .map((list) =>
      list.map(([source, price, half]) =>
        read(source, text(price), half === null ? {} : { bid: text(price - half), ask: text(price + half) }),
      ),
    );

  it("agree with decimal.js, and come to the same in any order", () => {
    fc.assert(
      fc.property(readings, fc.infiniteStream(fc.nat()), (list, random) => {
        const price = composed(...list);
        if (!price) throw new Error("primaries are fresh");
        const figures = list.map((one) => new Decimal(one.price)).sort((a, b) => a.cmp(b));
        const at = (index: number): Decimal => figures[index] ?? new Decimal(0);
        const median = at((figures.length - 1) >> 1)
          .plus(at(figures.length >> 1))
          .div(2);
        const range = at(figures.length - 1).minus(at(0));
        expect(median.eq(price.price)).toBe(true);
        expect(range.div(2).lte(price.conf)).toBe(true);
        if (figures.length > 1) expect(price.divergenceBps).toBe(range.div(median).mul(10_000).toDecimalPlaces(1).toNumber());
        if (price.bid !== undefined && price.ask !== undefined) {
          expect(median.gte(price.bid)).toBe(true);
          expect(median.lte(price.ask)).toBe(true);
        }
        const believed = price.sources.filter((part) => verdictOf(price, part) === "believed");
        expect(believed.map(({ source }) => source)).toEqual(list.map(({ source }) => source).sort());
        const shuffled = list.map((one) => [random.next().value, one] as const).sort(([a], [b]) => a - b);
        expect(composed(...shuffled.map(([, one]) => one))).toEqual(price);
      }),
    );
  });
});

describe("a composed price in a currency", () => {
  const goldIn = (currency: Currency, base: string, rates: Readonly<Record<string, string>>, ...prices: string[]) => {
    const fx = { kind: "fx", source: "live-a", role: "live", base, rates, observedAtMs: NOW, freshForMs: 180_000 } as const;
    const rate = fxRate(withFx(EMPTY_FX, fx), currency, NOW);
    const price = composed(...prices.map((text, index) => read(["alpha", "beta", "gamma"][index] ?? "delta", text)));
    return price && rate && presentCrossed(price.price, rate);
  };

  it("is its price in dollars times the rate, where there is one", () => {
    const inCurrency = (currency: Currency) => goldIn(currency, "USD", { EUR: "0.86", JPY: "156.2" }, "4003.20");
    expect(["BGN", "EUR", "JPY", "USD", "THB"].map(inCurrency)).toEqual(["6733.44", "3442.75", "625299.84", "4003.20", null]);
  });

  it("agrees with decimal.js, step by step, in every currency", () => {
    const cents = fc.integer({ min: 20_000, max: 5_000_000 });
    const rates = fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 31, maxLength: 31 });
    const base = fc.constantFrom("USD", "EUR", "GBP");
    fc.assert(
      fc.property(fc.tuple(cents, cents, cents), rates, fc.integer({ min: 0, max: 6 }), base, (prices, units, scale, base) => {
        const figures = prices.map((price) => dec(price).div(100));
        const table: Record<string, string> = Object.fromEntries(
          CURRENCIES.map((code, place) => [
            code,
            code === base
              ? "1"
              : dec(units[place] ?? 1)
                  .div(dec(10).pow(scale))
                  .toFixed(),
          ]),
        );
        const median = figures.toSorted((x, y) => x.cmp(y))[1] ?? dec(0);
        const perBase = (code: string): Decimal =>
          code === "BGN" ? dec("1.95583").mul(table.EUR ?? "1") : dec(table[code] ?? "1");
        for (const currency of CURRENCIES) {
          const exact = currency === "USD" ? median : median.mul(perBase(currency)).div(table.USD ?? "1");
          const written = goldIn(currency, base, table, ...figures.map((figure) => figure.toFixed()));
          expect(written).toBe(shown(exact, priceDecimals(exact)));
        }
      }),
      { numRuns: 300 },
    );
  });
});
