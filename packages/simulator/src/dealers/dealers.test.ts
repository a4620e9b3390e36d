import { PHYSICAL_COUNTRIES } from "@assay/contract";
import { EMPTY_FX, fxRate, premiumOf, spotPerGram, validateDealerQuote, withFx } from "@assay/pricing";
import { describe, expect, it } from "vitest";
import { SIMULATED_DEALER_CURRENCIES, simulatedFx } from "../prices/fx.ts";
import { simulatedPrice } from "../prices/price.ts";
import { simulatedDealers, simulatedDealersSetting } from "./dealers.ts";

const AT_MS = Date.UTC(2026, 10, 20, 15);
const FX = withFx(EMPTY_FX, simulatedFx(AT_MS, 1, SIMULATED_DEALER_CURRENCIES));
const spotIn = (currency: string) => {
  const rate = fxRate(FX, currency, AT_MS);
  return rate && spotPerGram(simulatedPrice("XAU-USD-SPOT", AT_MS, 1), rate);
};

describe("simulated dealers", () => {
  const quotes = simulatedDealers(AT_MS, 1);

  it("are in all twelve countries, in their own currency, with ids of their own", () => {
    expect([...new Set(quotes.map(({ country }) => country))]).toEqual(PHYSICAL_COUNTRIES);
    expect(new Set(quotes.map(({ id }) => id)).size).toBe(quotes.length);
  });

  it("quote in every unit and several karats, some of them from one side alone", () => {
    expect(new Set(quotes.map(({ weightUnit }) => weightUnit)).size).toBe(7);
    expect(new Set(quotes.map(({ karat }) => karat)).size).toBeGreaterThan(3);
    expect(quotes.some(({ buyback }) => buyback === null)).toBe(true);
  });

  it("pass the gate of their country at any hour, and fail it when a unit is wrong by ten or a thousand", () => {
    for (let hour = 0; hour < 24 * 20; hour += 37) {
      const atMs = AT_MS - hour * 3_600_000;
      const fx = withFx(EMPTY_FX, simulatedFx(atMs, 7, SIMULATED_DEALER_CURRENCIES));
      for (const quote of simulatedDealers(atMs, 7)) {
        const rate = fxRate(fx, quote.currency, atMs);
        const spot = rate && spotPerGram(simulatedPrice("XAU-USD-SPOT", atMs, 7), rate);
        const context = { nowMs: atMs, freshForMs: 86_400_000, spot };
        expect(validateDealerQuote(quote, context)).toEqual({ ok: true });
        for (const slip of [0.001, 0.1, 10, 1_000]) {
          const sell = String(Number(quote.sell) * slip);
          const slipped = { ...quote, sell, buyback: null };
          expect(validateDealerQuote(slipped, context)).toMatchObject({ ok: false, rule: "unit_slip" });
        }
      }
    }
  });

  it("have the premium of their country, within a percent", () => {
    const premium = (id: string) => {
      const quote = quotes.find((one) => one.id === id);
      return quote ? premiumOf(quote, spotIn(quote.currency))?.premiumOverSpotBps : null;
    };
    expect(premium("simulated-jp:1")).toBeGreaterThan(1_040);
    expect(premium("simulated-vn:1")).toBeGreaterThan(1_100);
    expect(premium("simulated-ae:1")).toBeLessThan(160);
  });

  it("change their quotes at their own pace, the same for every reader", () => {
    const [first] = simulatedDealers(AT_MS, 1, "AE");
    expect(simulatedDealers(AT_MS + 999, 1, "AE")[0]).toEqual(first);
    const instants = Array.from({ length: 3_600 }, (_, second) => AT_MS + second * 1_000);
    expect(new Set(instants.map((atMs) => simulatedDealers(atMs, 1, "AE")[0]?.observedAtMs)).size).toBe(13);
  });

  it("are named at the second they set new prices, and at no other", () => {
    const instants = Array.from({ length: 600 }, (_, second) => AT_MS + second * 1_000);
    const named = instants.filter((atMs) => simulatedDealersSetting(atMs + 999, 1).includes("CN"));
    expect(named).toEqual(instants.filter((atMs) => simulatedDealers(atMs, 1, "CN")[0]?.observedAtMs === atMs));
    expect(named).toHaveLength(10);
  });
});
