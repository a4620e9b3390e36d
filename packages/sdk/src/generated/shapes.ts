/**
 * Which fields of a response become decimals or Dates; the others are unchanged.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Shape } from "../core/shape.ts";

export const health: Shape = {
  fields: {},
  required: ["status", "service", "version"],
};

export const check: Shape = { fields: {} };

export const barsCheck: Shape = { fields: { last_bar_at: "instant" } };

export const writerCheck: Shape = { fields: { lease_expires_at: "instant" } };

export const statusChecks: Shape = { fields: { cache: check, bars: barsCheck, live_writer: writerCheck } };

export const feedStatus: Shape = { fields: { last_success_at: "instant" } };

export const valueStaleness: Shape = { fields: {} };

export const statusMarket: Shape = { fields: { next_change_at: "instant" } };

export const historyStatus: Shape = { fields: {} };

export const archivesStatus: Shape = { fields: { last_built_at: "instant" } };

export const status: Shape = {
  fields: {
    checked_at: "instant",
    checks: statusChecks,
    scrapers: { record: feedStatus },
    value_staleness: { record: valueStaleness },
    market: statusMarket,
    history: historyStatus,
    archives: archivesStatus,
  },
  required: [
    "status",
    "checked_at",
    "version",
    "checks",
    "scrapers",
    "value_staleness",
    "market",
    "history",
    "archives",
    "simulated",
    "reasons",
  ],
};

export const tier: Shape = {
  fields: { monthly_price_usd: "decimal", yearly_price_usd: "decimal" },
  required: [
    "name",
    "monthly_price_usd",
    "yearly_price_usd",
    "rate_limit_per_minute",
    "monthly_quota",
    "allowed_bases",
    "allowed_contracts",
    "includes_mcp",
    "commercial_use",
    "support_sla_hours",
    "max_concurrent_streams",
    "hidden",
  ],
};

export const dailyClose: Shape = { fields: { close: "decimal" } };

export const publicHistoryMeta: Shape = { fields: {} };

export const publicHistory: Shape = {
  fields: { as_of: "instant", series: { list: dailyClose }, meta: publicHistoryMeta },
  required: ["symbol", "quote_currency", "unit", "interval", "from", "to", "as_of", "series", "meta"],
};

export const source: Shape = { fields: { price: "decimal" } };

export const spotRow: Shape = {
  fields: {
    price: "decimal",
    bid: "decimal",
    ask: "decimal",
    computed_at: "instant",
    sources: { list: source },
    price_gram_24k: "decimal",
    price_gram_22k: "decimal",
    price_gram_21k: "decimal",
    price_gram_20k: "decimal",
    price_gram_18k: "decimal",
    price_gram_16k: "decimal",
    price_gram_14k: "decimal",
    price_gram_10k: "decimal",
    open_price: "decimal",
    high_price: "decimal",
    low_price: "decimal",
    prev_close_price: "decimal",
    ch: "decimal",
    chp: "decimal",
  },
  required: ["symbol", "quote_currency", "unit", "contract_type", "is_stale"],
};

export const prices: Shape = {
  fields: { symbols: { list: spotRow } },
  required: ["symbols"],
};

export const divergedRow: Shape = { fields: { primary_sources: { list: source }, computed_at: "instant" } };

export const divergence: Shape = {
  fields: { computed_at: "instant", diverged: { list: divergedRow } },
  required: ["threshold_bps", "computed_at"],
};

export const seriesEntry: Shape = { fields: { open: "decimal", high: "decimal", low: "decimal", close: "decimal" } };

export const historyMeta: Shape = { fields: {} };

export const history: Shape = {
  fields: { series: { list: seriesEntry }, meta: historyMeta },
  required: ["symbol", "interval", "from", "to", "series", "meta"],
};

export const bar: Shape = {
  fields: { bar_start: "instant", open: "decimal", high: "decimal", low: "decimal", close: "decimal", volume: "decimal" },
};

export const barsMeta: Shape = { fields: {} };

export const barsPage: Shape = {
  fields: { bars: { list: bar }, meta: barsMeta },
  required: ["symbol", "interval", "bars", "next_cursor", "meta"],
};

export const latestBar: Shape = {
  fields: { bar, meta: barsMeta },
  required: ["symbol", "interval", "bar", "meta"],
};

export const downloadLink: Shape = {
  fields: {},
  required: ["location"],
};

export const ratioPoint: Shape = { fields: { ratio: "decimal", numerator_close: "decimal", denominator_close: "decimal" } };

export const ratiosMeta: Shape = { fields: {} };

export const ratiosPage: Shape = {
  fields: { points: { list: ratioPoint }, meta: ratiosMeta },
  required: ["pair", "numerator", "denominator", "interval", "points", "next_cursor", "meta"],
};

export const latestRatio: Shape = {
  fields: { point: ratioPoint, meta: ratiosMeta },
  required: ["pair", "numerator", "denominator", "interval", "point", "meta"],
};

export const settlement: Shape = {
  fields: {
    settlement_price: "decimal",
    prior_settlement: "decimal",
    change_value: "decimal",
    source_timestamp: "instant",
    fetched_at: "instant",
  },
};

export const settlements: Shape = {
  fields: { settlements: { list: settlement } },
  required: ["settlements"],
};

export const futuresBlock: Shape = { fields: { settle_usd: "decimal" } };

export const horizon: Shape = { fields: { futures: futuresBlock } };

export const forwardSource: Shape = { fields: { retrieved_at: "instant" } };

export const forwardView: Shape = {
  fields: { spot_usd: "decimal", computed_at: "instant", horizons: { list: horizon }, sources: { list: forwardSource } },
  required: ["asset", "spot_usd", "computed_at", "horizons", "sources", "errors"],
};

export const conversion: Shape = {
  fields: { amount: "decimal", rate: "decimal", result: "decimal", timestamp: "instant" },
  required: ["from", "to", "amount", "rate", "result", "unit", "timestamp"],
};

export const karatPrices: Shape = {
  fields: {
    timestamp: "instant",
    price_gram_24k: "decimal",
    price_gram_22k: "decimal",
    price_gram_21k: "decimal",
    price_gram_20k: "decimal",
    price_gram_18k: "decimal",
    price_gram_16k: "decimal",
    price_gram_14k: "decimal",
    price_gram_10k: "decimal",
  },
  required: [
    "currency",
    "timestamp",
    "price_gram_24k",
    "price_gram_22k",
    "price_gram_21k",
    "price_gram_20k",
    "price_gram_18k",
    "price_gram_16k",
    "price_gram_14k",
    "price_gram_10k",
  ],
};

export const physicalCountry: Shape = { fields: { last_fetched_at: "instant" } };

export const physicalMeta: Shape = { fields: {} };

export const physicalIndex: Shape = {
  fields: { countries: { list: physicalCountry }, computed_at: "instant", meta: physicalMeta },
  required: ["countries", "computed_at", "meta"],
};

export const spotReference: Shape = {
  fields: { price_usd: "decimal", fx_rate: "decimal", price_local_per_gram: "decimal", computed_at: "instant" },
};

export const dealerQuote: Shape = {
  fields: {
    fineness: "decimal",
    weight: "decimal",
    weight_grams: "decimal",
    sell_price: "decimal",
    buyback_price: "decimal",
    price_per_fine_gram: "decimal",
    quoted_at: "instant",
    fetched_at: "instant",
  },
};

export const physicalCountryMeta: Shape = { fields: {} };

export const physicalQuotes: Shape = {
  fields: { spot_reference: spotReference, quotes: { list: dealerQuote }, meta: physicalCountryMeta },
  required: ["country", "name", "currency", "spot_reference", "quotes", "errors", "meta"],
};

export const surfacePercentiles: Shape = {
  fields: { p10: "decimal", p25: "decimal", p50: "decimal", p75: "decimal", p90: "decimal" },
};

export const surfacePoint: Shape = { fields: { strike: "decimal" } };

export const surfaceVenue: Shape = { fields: { volume_usd: "decimal", retrieved_at: "instant" } };

export const surface: Shape = {
  fields: {
    spot_usd: "decimal",
    forward_usd: "decimal",
    percentiles: surfacePercentiles,
    points: { list: surfacePoint },
    venues: { list: surfaceVenue },
    computed_at: "instant",
  },
  required: [
    "metal",
    "horizon",
    "is_default_horizon",
    "spot_usd",
    "forward_usd",
    "percentiles",
    "points",
    "venues",
    "confidence",
    "thin_liquidity",
    "method",
    "flags",
    "computed_at",
    "snapshot_age_seconds",
    "disclaimer",
  ],
};

export const surfaceHorizon: Shape = { fields: {} };

export const expiriesMeta: Shape = { fields: {} };

export const horizonIndex: Shape = {
  fields: { horizons: { list: surfaceHorizon }, meta: expiriesMeta },
  required: ["metal", "default_horizon", "horizons", "meta"],
};

export const signalBuy: Shape = { fields: { price: "decimal", size_usd: "decimal" } };

export const signalSell: Shape = { fields: { price: "decimal", size_usd: "decimal" } };

export const arbitrageSignal: Shape = {
  fields: { strike: "decimal", buy: signalBuy, sell: signalSell, executable_size_usd: "decimal", detected_at: "instant" },
};

export const arbitrageSignals: Shape = {
  fields: { signals: { list: arbitrageSignal } },
  required: ["metal", "signals"],
};

export const key: Shape = {
  fields: { created_at: "instant", last_used_at: "instant", revoked_at: "instant" },
  required: ["id", "key_prefix", "name", "created_at", "last_used_at", "revoked_at"],
};

export const mintedKey: Shape = {
  fields: { created_at: "instant", previous_key_revokes_at: "instant" },
  required: ["id", "plaintext", "key_prefix", "created_at", "previous_key_revokes_at"],
};

export const dayUsage: Shape = { fields: {} };

export const usage: Shape = {
  fields: { resets_at: "instant", days: { list: dayUsage } },
  required: [
    "calls_today",
    "calls_this_month",
    "active_streams",
    "max_streams",
    "tier",
    "monthly_quota",
    "remaining_this_month",
    "resets_at",
    "days",
  ],
};
