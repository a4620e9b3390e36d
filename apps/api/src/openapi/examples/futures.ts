/** Examples of settlements and the forward view. */
import type { AssayContract, OutputOf } from "@assay/contract";
import { type ExamplesOf, MOMENT } from "./example.ts";

export const settlements: ExamplesOf<OutputOf<AssayContract["settlements"]["list"]>> = {
  proxy: {
    summary: "A public daily close in place of the settlement",
    value: {
      settlements: [
        {
          symbol: "GC",
          settlement_date: "2026-11-19",
          settlement_price: "4012.50",
          prior_settlement: "4001.20",
          change_value: "11.30",
          volume: 151_459,
          open_interest: null,
          source: "yahoo-chart",
          source_type: "proxy_daily_close",
          source_timestamp: "2026-11-19T22:00:00Z",
          fetched_at: "2026-11-19T22:10:03Z",
          disclaimer:
            "A public daily close in place of the exchange's settlement; typically within 1 to 5 USD of the official figure.",
        },
      ],
    },
  },
  official: {
    summary: "The exchange's own, from an operator's licensed file; nothing of the day before",
    value: {
      settlements: [
        {
          symbol: "SI",
          settlement_date: "2026-11-19",
          settlement_price: "48.6150",
          prior_settlement: null,
          change_value: null,
          volume: 61_204,
          open_interest: 118_340,
          source: "cme-files",
          source_type: "official_settlement",
          source_timestamp: "2026-11-19T23:00:00Z",
          fetched_at: "2026-11-19T23:04:41Z",
        },
      ],
    },
  },
};

export const forwardView: ExamplesOf<OutputOf<AssayContract["forwardView"]["get"]>> = {
  curve: {
    summary: "A curve with a horizon nothing is known of",
    value: {
      asset: "XAU",
      spot_usd: "4003.20",
      computed_at: MOMENT,
      horizons: [
        {
          expiry: "2026-12-29",
          futures: {
            contract: "GCZ26",
            settle_usd: "4012.50",
            settle_source: "yahoo-chart",
            settle_age_seconds: 57_807,
            open_interest: null,
            volume: 151_459,
          },
          errors: [],
        },
        { expiry: "2027-02-24", futures: null, errors: ["no settlement is known"] },
      ],
      sources: [
        {
          id: "yahoo-chart",
          publisher: "Yahoo Finance",
          url: "https://finance.yahoo.com",
          retrieved_at: "2026-11-19T22:10:03Z",
          type: "futures",
        },
      ],
      errors: ["GCG27: no settlement is known"],
    },
  },
};
