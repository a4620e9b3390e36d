/** Examples of dealers' quotes: the index, a country, and one whose currency has no rate. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { type ExamplesOf, MOMENT } from "./example.ts";

type Country = OutputOf<AssayContract["physical"]["get"]>;

const tael: Country["quotes"][number] = {
  id: "lukfook:gold-tael",
  source: "lukfook",
  dealer: "Luk Fook",
  kind: "dealer",
  metal: "XAU",
  product: "Gold 999.9 per tael",
  form: "bar",
  karat: 24,
  fineness: "0.9999",
  weight: "1",
  weight_unit: "tael",
  weight_grams: "37.429",
  sell_price: "38150",
  buyback_price: "36960",
  price_per_fine_gram: "1019.3651",
  premium_over_spot_bps: 179.2,
  buyback_premium_bps: -138.3,
  spread_bps: 317.5,
  tax_included: false,
  source_url: "https://www.lukfook.com",
  quoted_at: "2026-11-20T14:00:00Z",
  fetched_at: "2026-11-20T14:03:02Z",
  is_stale: false,
};

export const physicalIndex: ExamplesOf<OutputOf<AssayContract["physical"]["list"]>> = {
  countries: {
    summary: "Two countries; nothing was heard of the second yet",
    value: {
      countries: [
        {
          country: "HK",
          name: "Hong Kong",
          currency: "HKD",
          sources: 1,
          quotes: 1,
          last_fetched_at: "2026-11-20T14:03:02Z",
          is_stale: false,
        },
        { country: "NP", name: "Nepal", currency: "NPR", sources: 0, quotes: 0, last_fetched_at: null, is_stale: true },
      ],
      computed_at: MOMENT,
      meta: { tier: "physical", count: 2 },
    },
  },
};

export const physicalCountry: ExamplesOf<Country> = {
  country: {
    summary: "A bar by the tael, beside spot",
    value: {
      country: "HK",
      name: "Hong Kong",
      currency: "HKD",
      spot_reference: {
        symbol: "XAU-USD-SPOT",
        price_usd: "4003.20",
        fx_rate: "7.7807",
        fx_source: "coinbase-fx",
        price_local_per_gram: "1001.4218",
        computed_at: MOMENT,
        is_stale: false,
      },
      quotes: [tael],
      errors: [],
      meta: { tier: "physical", count: 1 },
    },
  },
  without_rate: {
    summary: "No rate for the currency: prices without a premium",
    value: {
      country: "NP",
      name: "Nepal",
      currency: "NPR",
      spot_reference: {
        symbol: "XAU-USD-SPOT",
        price_usd: "4003.20",
        fx_rate: null,
        fx_source: null,
        price_local_per_gram: null,
        computed_at: MOMENT,
        is_stale: false,
      },
      quotes: [
        {
          ...tael,
          id: "fenegosida:fine-tola",
          source: "fenegosida",
          dealer: "FENEGOSIDA",
          kind: "benchmark",
          product: "छापावाल सुन, per tola",
          form: "reference",
          fineness: "0.999",
          weight_unit: "tola",
          weight_grams: "11.6638038",
          sell_price: "227500",
          buyback_price: null,
          price_per_fine_gram: "19524.3106",
          premium_over_spot_bps: null,
          buyback_premium_bps: null,
          spread_bps: null,
          source_url: "https://fenegosida.org",
        },
      ],
      errors: [],
      meta: { tier: "physical", count: 1 },
    },
  },
};
