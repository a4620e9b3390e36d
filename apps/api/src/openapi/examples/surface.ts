/** Examples of the probability surface and of arbitrage signals. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { type ExamplesOf, MOMENT } from "./example.ts";

const DISCLAIMER =
  "Risk-neutral probabilities implied by market prices: neither a forecast nor advice. See the methodology for how they are made.";

export const surface: ExamplesOf<OutputOf<AssayContract["surface"]["get"]>> = {
  blend: {
    summary: "Options and two prediction markets blended; most strikes are left out here",
    value: {
      metal: "xau",
      horizon: "2026-12-18",
      is_default_horizon: true,
      spot_usd: "4003.20",
      forward_usd: "4022.90",
      percentiles: { p10: "3783.90", p25: "3899.20", p50: "4021.90", p75: "4146.40", p90: "4263.60" },
      points: [
        {
          strike: "3900.00",
          prob_above: 0.748413,
          raw_prob_above: 0.751022,
          sources: ["bybit-options", "kalshi"],
          extrapolated: false,
        },
        {
          strike: "4000.00",
          prob_above: 0.546118,
          raw_prob_above: 0.54488,
          sources: ["bybit-options", "kalshi"],
          extrapolated: false,
        },
        { strike: "4550.00", prob_above: 0.006204, raw_prob_above: null, sources: [], extrapolated: true },
      ],
      venues: [
        { venue: "bybit-options", type: "options", markets_used: 41, volume_usd: "184000", retrieved_at: MOMENT },
        { venue: "kalshi", type: "prediction_market", markets_used: 11, volume_usd: null, retrieved_at: MOMENT },
      ],
      confidence: "high",
      thin_liquidity: false,
      method: "blend",
      flags: ["proxy_underlying"],
      computed_at: MOMENT,
      snapshot_age_seconds: 42,
      disclaimer: DISCLAIMER,
    },
  },
};

export const expiries: ExamplesOf<OutputOf<AssayContract["surface"]["expiries"]>> = {
  index: {
    summary: "Two days, one of which nobody has quoted for hours",
    value: {
      metal: "xau",
      default_horizon: "2026-12-18",
      horizons: [
        {
          horizon: "2026-12-18",
          days_to_expiry: 28.25,
          markets_count: 52,
          venues: ["bybit-options", "kalshi"],
          snapshot_age_seconds: 42,
        },
        {
          horizon: "2027-03-26",
          days_to_expiry: 126.25,
          markets_count: 9,
          venues: ["bybit-options"],
          snapshot_age_seconds: 10_800,
        },
      ],
      meta: { tier: "pro", count: 2 },
    },
  },
};

export const arbitrage: ExamplesOf<OutputOf<AssayContract["signals"]["arbitrage"]>> = {
  none: { summary: "No edge, the normal case", value: { metal: "xau", signals: [] } },
  edge: {
    summary: "The same bet, dearer at another venue after both fees",
    value: {
      metal: "xau",
      signals: [
        {
          id: "arb_5f0c1d7be93a2c44",
          horizon_target: "2026-12-18",
          type: "digital",
          strike: "4050",
          buy: { venue: "kalshi", market_id: "KXGOLDD-26DEC1817-T4050", side: "yes", price: "0.44", size_usd: "300.00" },
          sell: { venue: "polymarket", market_id: "gc-above-4050-dec-18", side: "yes", price: "0.5", size_usd: "250.00" },
          gross_edge_bps: 600,
          fees_bps: 272.5,
          net_edge_bps: 327.5,
          executable_size_usd: "250.00",
          detected_at: MOMENT,
        },
      ],
    },
  },
};
