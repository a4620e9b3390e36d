import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dec } from "../number/exact.ts";
import { asProduct, finenessOf, type ProductQuote, premiumOf, spotPerGram } from "./dealer-quote.ts";
import { validateDealerQuote } from "./validate.ts";

const NOW = Date.UTC(2026, 10, 20, 15);
/** 4000 USD per ounce is 128.6030 USD per gram; 7.79 HKD per dollar. */
const SPOT = spotPerGram("4000", "7.79");
const HKD_PER_GRAM = 1_001.81726;

const tael: ProductQuote = {
  id: "lukfook:tael",
  source: "lukfook",
  dealer: "Luk Fook",
  kind: "dealer",
  country: "HK",
  metal: "XAU",
  product: "Gold 999.9 per tael",
  form: "bar",
  karat: 24,
  fineness: "999.9",
  weight: "1",
  weightUnit: "tael",
  currency: "HKD",
  sell: "38200",
  buyback: "37000",
  taxIncluded: false,
  sourceUrl: "https://example.com",
  observedAtMs: NOW,
};
const quote = (rest: Partial<ProductQuote>): ProductQuote => ({ ...tael, ...rest });
const context = { nowMs: NOW, freshForMs: 3_600_000, spot: SPOT };

describe("spotPerGram", () => {
  it("is spot times the rate over the grams of an ounce", () => {
    expect(Number(SPOT.numerator) / Number(SPOT.denominator)).toBeCloseTo(HKD_PER_GRAM, 4);
  });
});

describe("finenessOf", () => {
  it.each([
    ["999.9", 24, 0.9999],
    ["0.995", 24, 0.995],
    ["1", 24, 1],
    ["916", 22, 0.916],
    [null, 24, 0.999],
    [null, 22, 22 / 24],
    [null, 18, 0.75],
  ] as const)("reads fineness %s and karat %s as %d", (fineness, karat, share) => {
    const found = finenessOf(fineness, karat);
    expect(Number(found?.numerator) / Number(found?.denominator)).toBeCloseTo(share, 12);
  });

  it.each([
    ["0", 24],
    ["-1", 24],
    ["1000.1", 24],
    ["24", 24],
    ["pure", 24],
    [null, 25],
    [null, 0],
    [null, Number.NaN],
  ] as const)("refuses fineness %s and karat %s", (fineness, karat) => {
    expect(finenessOf(fineness, karat)).toBeNull();
  });
});

describe("premiumOf", () => {
  it("compares both sides and the spread with spot, per gram of pure metal", () => {
    // 38200 / (37.429 × 0.9999) = 1020.7011 per gram, 1.01885 times spot
    expect(premiumOf(tael, SPOT)).toEqual({
      weightGrams: "37.429",
      fineness: "0.9999",
      pricePerFineGram: "1020.7011",
      premiumOverSpotBps: 188.5,
      buybackPremiumBps: -131.6,
      spreadBps: 320.1,
    });
  });

  it("leaves out what a one-sided source does not say", () => {
    expect(premiumOf(quote({ buyback: null }), SPOT)).toMatchObject({
      premiumOverSpotBps: 188.5,
      buybackPremiumBps: null,
      spreadBps: null,
    });
    expect(premiumOf(quote({ sell: null }), SPOT)).toMatchObject({
      pricePerFineGram: null,
      premiumOverSpotBps: null,
      buybackPremiumBps: -131.6,
      spreadBps: null,
    });
    expect(premiumOf(tael, null)).toMatchObject({ pricePerFineGram: "1020.7011", premiumOverSpotBps: null, spreadBps: null });
  });

  it.each([
    ["gram", "1"],
    ["gram", "10"],
    ["kg", "1"],
    ["oz", "0.5"],
    ["tola", "1"],
    ["tael", "1"],
    ["luong", "1"],
    ["chi", "1"],
  ] as const)("finds the same premium whatever the unit: %s of %s", (weightUnit, weight) => {
    const grams = dec(premiumOf(quote({ weight, weightUnit }), SPOT)?.weightGrams ?? "0");
    const sell = dec("1020").mul(grams).toFixed();
    expect(premiumOf(quote({ weight, weightUnit, sell }), SPOT)?.premiumOverSpotBps).toBeCloseTo(182.5, 1);
  });

  it("finds the same premium whatever the karat, and none for a price at spot", () => {
    fc.assert(
      fc.property(fc.constantFrom(24, 22, 21, 18, 14), fc.integer({ min: -500, max: 4_000 }), (karat, bps) => {
        const purity = finenessOf(null, karat);
        const share = dec(String(purity?.numerator)).div(String(purity?.denominator));
        const perGram = dec(String(SPOT.numerator)).div(String(SPOT.denominator));
        const sell = perGram
          .mul(share)
          .mul(10_000 + bps)
          .div(10_000)
          .toFixed(20);
        const found = premiumOf(quote({ fineness: null, karat, weight: "1", weightUnit: "gram", sell }), SPOT);
        expect(found?.premiumOverSpotBps).toBe(bps);
      }),
    );
  });

  it("returns nothing for a quote without purity or weight", () => {
    expect(premiumOf(quote({ fineness: "0" }), SPOT)).toBeNull();
    expect(premiumOf(quote({ weight: "0" }), SPOT)).toBeNull();
  });
});

describe("validateDealerQuote", () => {
  it("accepts a sound quote, one-sided ones and those without spot", () => {
    for (const sound of [tael, quote({ buyback: null }), quote({ sell: null })])
      expect(validateDealerQuote(sound, context)).toEqual({ ok: true });
    expect(validateDealerQuote(tael, { ...context, spot: null })).toEqual({ ok: true });
  });

  it.each([
    [{ sell: "38,200" }, "malformed"],
    [{ weight: "-1" }, "not_positive"],
    [{ buyback: "0" }, "not_positive"],
    [{ sell: null, buyback: null }, "no_price"],
    [{ fineness: "0" }, "no_purity"],
    [{ fineness: null, karat: 0 }, "no_purity"],
    [{ currency: "CNY" }, "wrong_currency"],
    [{ buyback: "38201" }, "crossed"],
    [{ sell: "382000" }, "unit_slip"],
    [{ sell: "3820", buyback: "3700" }, "unit_slip"],
    [{ sell: "38200000" }, "unit_slip"],
    [{ sell: "38.2", buyback: "37" }, "unit_slip"],
    [{ sell: null, buyback: "37" }, "unit_slip"],
    [{ weightUnit: "gram" }, "unit_slip"],
    [{ sell: "49000" }, "premium_out_of_range"],
    [{ buyback: "20000" }, "premium_out_of_range"],
    [{ observedAtMs: NOW + 60_000 }, "from_the_future"],
    [{ observedAtMs: 0 }, "too_old"],
  ] as const)("refuses %o as %s", (change, rule) => {
    expect(validateDealerQuote(quote(change), context)).toMatchObject({ ok: false, rule });
  });
});

describe("a quote whose currency has no rate", () => {
  const NEPAL = { country: "NP", currency: "NPR", weight: "1", weightUnit: "tola", buyback: null } as const;

  it.each([
    ["230000", "4000.00", true],
    ["230000", null, true],
    ["2300000", "4000.00", false],
    ["2300000", null, false],
    ["23000", "4000.00", false],
    ["230000000", null, false],
  ])("of %s NPR a tola, with gold at %s, is accepted: %s", (sell, usdPerOzt, ok) => {
    const verdict = validateDealerQuote(quote({ ...NEPAL, sell }), { ...context, spot: null, usdPerOzt });
    expect(verdict.ok ? "ok" : verdict.rule).toBe(ok ? "ok" : "unit_slip");
  });
});

describe("asProduct", () => {
  it("reads a bare quote as a reference price of its karat, under its own name", () => {
    const { source, country, dealer, product, karat, weight, weightUnit, currency, sell, buyback, observedAtMs } = tael;
    const bare = { source, country, dealer, product, karat, weight, weightUnit, currency, sell, buyback, observedAtMs };
    expect(asProduct(bare)).toMatchObject({ form: "reference", fineness: null, taxIncluded: false });
    expect(premiumOf(asProduct(bare), SPOT)?.fineness).toBe("0.999");
    expect(asProduct({ ...bare, weight: "2" }).id).not.toBe(asProduct(bare).id);
    expect(validateDealerQuote(asProduct(bare), context)).toEqual({ ok: true });
  });
});
