/** Examples of liveness, readiness, the tier catalog and the public history. */
import { type AssayContract, DEFAULT_CATALOG, type OutputOf, TIER_NAMES, VERSION } from "@assay/contract";
import { type ExamplesOf, MOMENT } from "./example.ts";

const feed = {
  status: "ok",
  required: true,
  expected_interval_seconds: 5,
  last_success_at: "2026-11-20T14:03:25Z",
  age_seconds: 2.4,
  consecutive_failures: 0,
  rejected_observations: 0,
  last_error: null,
} as const;

export const health: ExamplesOf<OutputOf<AssayContract["system"]["health"]>> = {
  alive: { summary: "The process lives", value: { status: "ok", service: "assay", version: VERSION } },
};

const whole: OutputOf<AssayContract["system"]["status"]> = {
  status: "ok",
  checked_at: MOMENT,
  version: VERSION,
  checks: {
    cache: { ok: true },
    bars: { ok: true, last_bar_at: "2026-11-20T14:03:00Z", age_seconds: 27.4 },
    live_writer: {
      ok: true,
      configured: null,
      lease_owner: "3f1c9a0b72de",
      lease_expires_at: "2026-11-20T14:03:35Z",
      fencing_token: 7,
    },
  },
  scrapers: { swissquote: feed },
  value_staleness: { "XAU-USD-SPOT": { is_stale: false, age_seconds: 0.4, reason: null } },
  market: { state: "open", next_change_at: "2026-11-20T22:00:00Z" },
  archives: { pending: 0, built: 14, last_built_at: "2026-11-20T00:10:31Z", last_error: null },
  simulated: false,
  reasons: [],
};

export const status: ExamplesOf<OutputOf<AssayContract["system"]["status"]>> = {
  ok: { summary: "Everything that must hold holds", value: whole },
  degraded: {
    summary: "A required feed is late",
    value: {
      ...whole,
      status: "degraded",
      scrapers: {
        swissquote: {
          ...feed,
          status: "failing",
          last_success_at: "2026-11-20T14:02:05Z",
          age_seconds: 82.4,
          consecutive_failures: 6,
          last_error: "http_503",
        },
      },
      reasons: ["Feed swissquote has no success within twice its interval of 5 s."],
    },
  },
};

export const tiers: ExamplesOf<OutputOf<AssayContract["tiers"]["list"]>> = {
  catalog: {
    summary: "The catalog as shipped; an operator may change it",
    value: TIER_NAMES.map((name) => DEFAULT_CATALOG.tiers[name]),
  },
};

export const publicHistory: ExamplesOf<OutputOf<AssayContract["publicHistory"]["xau"]>> = {
  year: {
    summary: "The newest two of a year's closes",
    value: {
      symbol: "XAU-USD-SPOT",
      quote_currency: "USD",
      unit: "troy_ounce",
      interval: "1d",
      from: "2025-11-20",
      to: "2026-11-19",
      as_of: "2026-11-20T14:00:00Z",
      series: [
        { date: "2026-11-19", close: "3994.65" },
        { date: "2026-11-18", close: "3981.10" },
      ],
      meta: { count: 2 },
    },
  },
};
