/** Examples of spot prices, divergence and the deprecated history. */
import type { AssayContract, OutputOf, Source, SpotRow } from "@assay/contract";
import { type ExamplesOf, MOMENT } from "./example.ts";

const gold: SpotRow = {
  symbol: "XAU",
  quote_currency: "USD",
  unit: "troy_ounce",
  contract_type: "spot",
  is_stale: false,
  price: "4003.20",
  bid: "4003.05",
  ask: "4003.35",
  computed_at: MOMENT,
};

const silver: SpotRow = { ...gold, symbol: "XAG", price: "52.1840", bid: "52.1710", ask: "52.1970" };

const copper: SpotRow = { ...gold, symbol: "HG", unit: "pound", price: "5.0125", bid: "5.0110", ask: "5.0140" };

const sources: Source[] = [
  {
    source: "swissquote",
    display_name: "Swissquote Bank SA",
    price: "4003.20",
    unit: "troy_ounce",
    license: "undocumented",
    is_stale: false,
    informational: false,
  },
  {
    source: "gold-api",
    display_name: "gold-api.com",
    price: "4001.90",
    unit: "troy_ounce",
    license: "undocumented",
    is_stale: false,
    informational: false,
  },
];

const karat = {
  price_gram_24k: "128.7059",
  price_gram_22k: "117.9804",
  price_gram_21k: "112.6176",
  price_gram_20k: "107.2549",
  price_gram_18k: "96.5294",
  price_gram_16k: "85.8039",
  price_gram_14k: "75.0784",
  price_gram_10k: "53.6274",
};

const stats = {
  divergence_flag: false,
  divergence_bps: 3.2,
  open_price: "3994.70",
  high_price: "4011.25",
  low_price: "3990.05",
  open_time: 1_795_132_800,
  prev_close_price: "3994.65",
  ch: "8.55",
  chp: "0.21",
};

const stale: SpotRow = { ...gold, is_stale: true, stale_reason: "market_closed", computed_at: "2026-11-20T21:59:59Z" };

export const list: ExamplesOf<OutputOf<AssayContract["prices"]["list"]>> = {
  free: { summary: "Without a key, or on Free, Basic and Physical: gold", value: { symbols: [gold] } },
  pro: { summary: "On Pro: every metal", value: { symbols: [gold, silver, copper] } },
};

export const spot: ExamplesOf<OutputOf<AssayContract["spot"]["get"]>> = {
  lean: { summary: "The core fields", value: gold },
  all: { summary: "With include=all and a key", value: { ...gold, sources, ...karat, ...stats } },
  stale: { summary: "On a Saturday: the last price, marked stale", value: stale },
};

export const divergence: ExamplesOf<OutputOf<AssayContract["prices"]["divergence"]>> = {
  without_key: { summary: "Without a key: the number", value: { threshold_bps: 50, computed_at: MOMENT, diverged_count: 1 } },
  with_key: {
    summary: "With a key: each of them, of those the tier allows",
    value: {
      threshold_bps: 3,
      computed_at: MOMENT,
      diverged: [
        {
          symbol: "XAU",
          quote_currency: "USD",
          contract_type: "spot",
          divergence_bps: 3.2,
          primary_sources: sources,
          computed_at: MOMENT,
        },
      ],
    },
  },
};

export const history: ExamplesOf<OutputOf<AssayContract["prices"]["history"]>> = {
  two_days: {
    summary: "Two days, oldest first; the second is still forming",
    value: {
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      from: "2026-11-19",
      to: "2026-11-20",
      series: [
        {
          date: "2026-11-19",
          open: "3981.15",
          high: "3999.80",
          low: "3975.40",
          close: "3994.65",
          volume: null,
          is_stale: false,
          is_closed: true,
        },
        {
          date: "2026-11-20",
          open: "3994.70",
          high: "4011.25",
          low: "3990.05",
          close: "4003.20",
          volume: null,
          is_stale: false,
          is_closed: false,
        },
      ],
      meta: {
        tier: "pro",
        count: 2,
        ohlc_note:
          "Bars of UTC days or hours from source swissquote: open, high, low and close of the prices Assay composed or imported.",
      },
    },
  },
};
