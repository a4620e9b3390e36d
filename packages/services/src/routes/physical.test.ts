import { contract, HOUR_MS, MINUTE_MS, PHYSICAL_COUNTRIES, type PhysicalCountry } from "@assay/contract";
import { EMPTY_FX, fxRate, type StandingPrice, staleness, withFx } from "@assay/pricing";
import { simulatedDealers, simulatedFx, simulatedPrice } from "@assay/simulator";
import { describe, expect, test } from "vitest";
import type { ServiceDeps } from "../context.ts";
import type { DealersView } from "../market/dealer-book.ts";
import { verbContext } from "../testing/verb-context.ts";
import { getPhysical, listPhysical } from "./physical.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const FX = withFx(EMPTY_FX, simulatedFx(AT_MS, 1, ["AED", "EGP", "NPR", "PKR", "SAR"]));

const STANDING: StandingPrice = {
  price: simulatedPrice("XAU-USD-SPOT", AT_MS, 1),
  basis: "primary",
  sources: [],
  divergenceBps: null,
  computedAtMs: AT_MS,
  freshUntilMs: AT_MS + MINUTE_MS,
};

/** The parts of the market view the verbs use, without a store. */
const market = (price: StandingPrice | null = STANDING, fx = FX) =>
  ({
    priceAt: () => price,
    fxRate: (currency: string, atMs: number) => fxRate(fx, currency, atMs),
    standingOf: ({ currency }: { currency: string }, atMs: number) => {
      const rate = fxRate(fx, currency, atMs);
      return { price, rate, stale: staleness(price, rate, atMs, true) };
    },
  }) as unknown as ServiceDeps["market"]; // a full market view needs a store

const dealers: DealersView = {
  refresh: async () => undefined,
  quotes: (country: PhysicalCountry) =>
    country === "CN"
      ? []
      : simulatedDealers(AT_MS, 1, country).map((quote) => ({ quote, fetchedAtMs: AT_MS, freshUntilMs: AT_MS + HOUR_MS })),
  errors: (country) => (country === "CN" ? ["china-gold: answered with a page for people"] : []),
};
const country = getPhysical({ market: market(), dealers });

describe("a country", () => {
  test.each(PHYSICAL_COUNTRIES)("%s matches its schema, in any case", async (code) => {
    const answer = contract.physical.get.output.parse(await country({ country: code.toLowerCase() }, verbContext(AT_MS)));
    expect(answer.country).toBe(code);
    expect(answer.meta.count).toBe(answer.quotes.length);
  });

  test("compares each quote with spot and the rate of one moment", async () => {
    const answer = contract.physical.get.output.parse(await country({ country: "HK" }, verbContext(AT_MS)));
    const { spot_reference: spot, quotes } = answer;
    for (const quote of quotes) {
      const fineGrams = Number(quote.weight_grams) * Number(quote.fineness);
      const perGram = Number(quote.sell_price) / fineGrams;
      expect(Number(quote.price_per_fine_gram)).toBeCloseTo(perGram, 3);
      expect(quote.premium_over_spot_bps).toBeCloseTo((perGram / Number(spot?.price_local_per_gram) - 1) * 10_000, 0);
      expect(quote.spread_bps).toBeCloseTo((quote.premium_over_spot_bps ?? 0) - (quote.buyback_premium_bps ?? 0), 0);
    }
    expect(spot).toMatchObject({ symbol: "XAU-USD-SPOT", fx_source: "simulated-fx", is_stale: false });
  });

  test("has a stale reference when the price is, and when the rate is the day's alone", async () => {
    const isStale = async (code: string, price: StandingPrice, fx = FX) => {
      const answer = await getPhysical({ market: market(price, fx), dealers })({ country: code }, verbContext(AT_MS));
      return contract.physical.get.output.parse(answer).spot_reference?.is_stale;
    };
    const daily = withFx(EMPTY_FX, { ...simulatedFx(AT_MS, 1), role: "reference" });
    expect(await isStale("HK", STANDING)).toBe(false);
    expect(await isStale("HK", STANDING, daily)).toBe(true);
    expect(await isStale("AE", STANDING, daily)).toBe(false);
    expect(await isStale("AE", { ...STANDING, freshUntilMs: AT_MS - 1 })).toBe(true);
  });

  test("whose currency has no rate has prices and no premium", async () => {
    const answer = contract.physical.get.output.parse(await country({ country: "VN" }, verbContext(AT_MS)));
    expect(answer.spot_reference).toMatchObject({ fx_rate: null, fx_source: null, price_local_per_gram: null });
    expect(answer.quotes.map((quote) => quote.premium_over_spot_bps)).toEqual([null, null]);
    expect(answer.quotes[0]?.price_per_fine_gram).not.toBeNull();
  });

  test("shows no price of a unit other than the claimed one, whenever it was stored, and names its source", async () => {
    const slipped: DealersView = {
      ...dealers,
      quotes: (code, nowMs) =>
        dealers.quotes(code, nowMs).map((held, at) => ({
          ...held,
          quote: { ...held.quote, sell: at === 0 ? `${held.quote.sell?.replace(".", "")}0` : held.quote.sell },
        })),
    };
    const parts = { market: market(), dealers: slipped };
    const answer = contract.physical.get.output.parse(await getPhysical(parts)({ country: "AE" }, verbContext(AT_MS)));
    expect(answer.quotes).toHaveLength(2);
    expect(answer.errors).toEqual([expect.stringMatching(/: a price whose unit cannot be the stated one is left out$/)]);
    const index = contract.physical.list.output.parse(await listPhysical(parts)({}, verbContext(AT_MS, "physical")));
    expect(index.countries.find((one) => one.country === "AE")).toMatchObject({ quotes: 2 });
  });

  test("is answered without spot as well", async () => {
    const answer = await getPhysical({ market: market(null), dealers })({ country: "JP" }, verbContext(AT_MS));
    expect(contract.physical.get.output.parse(answer)).toMatchObject({ spot_reference: null });
  });

  test("marks quotes that were not read for too long", async () => {
    const answer = contract.physical.get.output.parse(await country({ country: "AE" }, verbContext(AT_MS + HOUR_MS + 1)));
    expect(answer.quotes.every((quote) => quote.is_stale)).toBe(true);
  });

  test.each(["US", "UAE", "physical:AE", "__proto__"])("%s is unknown", async (unknown) => {
    await expect(country({ country: unknown }, verbContext(AT_MS))).rejects.toThrow(
      expect.objectContaining({ code: "not_found" }),
    );
  });
});

test("the index has all twelve countries; one without quotes is stale", async () => {
  const answer = contract.physical.list.output.parse(
    await listPhysical({ market: market(), dealers })({}, verbContext(AT_MS, "physical")),
  );
  expect(answer.countries.map((one) => one.country)).toEqual(PHYSICAL_COUNTRIES);
  expect(answer.countries.find((one) => one.country === "CN")).toMatchObject({
    quotes: 0,
    last_fetched_at: null,
    is_stale: true,
  });
  expect(answer.countries.find((one) => one.country === "AE")).toMatchObject({ sources: 1, quotes: 3, is_stale: false });
  expect(answer.meta).toEqual({ tier: "physical", count: 12 });
});
