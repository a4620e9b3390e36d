/**
 * Each method's request and answer, as tables for the core: the fields that become decimals or Dates, then the operations.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import { type Operation, receiptOf, type Shape } from "../core/operation.ts";
import type {
  Alert,
  AlertList,
  ArbitrageSignals,
  BarsPage,
  Bill,
  Catalog,
  ChainHead,
  ChangedAlert,
  Conversion,
  CorrectionsPage,
  DeliveriesPage,
  Delivery,
  Divergence,
  DownloadLink,
  EndpointList,
  ForwardView,
  Health,
  History,
  HorizonIndex,
  KaratPrices,
  Key,
  LatestBar,
  LatestRatio,
  MadeEndpoint,
  MintedKey,
  PhysicalIndex,
  PhysicalQuotes,
  Prices,
  PublicHistory,
  QualityDays,
  RatiosPage,
  RotatedSecret,
  SeriesPage,
  Settlements,
  SourceRecords,
  SpotAnswer,
  Status,
  Surface,
  TestSent,
  Tier,
  Usage,
} from "./types.ts";
import type * as Wire from "./wire.ts";

const health: Shape = {
  fields: {},
  required: "status service version",
};

const check: Shape = {
  fields: {},
  required: "ok",
};

const barsCheck: Shape = {
  fields: { last_bar_at: "instant" },
  required: "ok last_bar_at? age_seconds?",
};

const writerCheck: Shape = {
  fields: { lease_expires_at: "instant" },
  required: "ok configured? lease_owner? lease_expires_at? fencing_token?",
};

const statusChecks: Shape = {
  fields: { cache: check, bars: barsCheck, live_writer: writerCheck },
  required: "cache bars live_writer",
};

const feedStatus: Shape = {
  fields: { last_success_at: "instant" },
  required:
    "status required expected_interval_seconds last_success_at? age_seconds? consecutive_failures rejected_observations last_error?",
};

const valueStaleness: Shape = {
  fields: {},
  required: "is_stale age_seconds? reason?",
};

const statusMarket: Shape = {
  fields: { next_change_at: "instant" },
  required: "state next_change_at?",
};

const historyStatus: Shape = {
  fields: {},
  required: "complete pending",
};

const archivesStatus: Shape = {
  fields: { last_built_at: "instant" },
  required: "pending? built last_built_at? last_error?",
};

const keylessAccess: Shape = {
  fields: {},
  required: "tier description",
};

const status: Shape = {
  fields: {
    checked_at: "instant",
    checks: statusChecks,
    scrapers: { record: feedStatus },
    value_staleness: { record: valueStaleness },
    market: statusMarket,
    history: historyStatus,
    archives: archivesStatus,
    keyless: keylessAccess,
  },
  required: "status checked_at version checks scrapers value_staleness market history archives? keyless simulated reasons",
};

const tier: Shape = {
  fields: { monthly_price_usd: "decimal", yearly_price_usd: "decimal" },
  required:
    "name monthly_price_usd yearly_price_usd rate_limit_per_minute monthly_quota allowed_bases allowed_contracts includes_mcp commercial_use support_sla_hours? max_concurrent_streams max_alerts hidden",
};

const catalogBounds: Shape = {
  fields: { low: "decimal", high: "decimal" },
  required: "low high",
};

const catalogFutures: Shape = {
  fields: {},
  required: "product main_months",
};

const catalogMetal: Shape = {
  fields: { bounds: catalogBounds, futures: catalogFutures },
  required:
    "code name aliases unit coverage default_contract quoted_in tier convertible karats finenesses streams has_surface agreement_bps max_spread_percent bounds futures?",
};

const catalogFund: Shape = {
  fields: { bounds: catalogBounds },
  required: "code name metal agreement_bps max_spread_percent bounds",
};

const catalogPeg: Shape = {
  fields: { units: "decimal" },
  required: "to units fixed",
};

const catalogCurrency: Shape = {
  fields: { peg: catalogPeg },
  required: "code name minor_units quoted peg? reference?",
};

const catalogUnit: Shape = {
  fields: { grams: "decimal" },
  required: "code name grams accepted",
};

const catalogRatio: Shape = {
  fields: {},
  required: "pair numerator denominator",
};

const catalog: Shape = {
  fields: {
    metals: { list: catalogMetal },
    funds: { list: catalogFund },
    currencies: { list: catalogCurrency },
    units: { list: catalogUnit },
    ratios: { list: catalogRatio },
  },
  required: "metals funds currencies units ratios symbols bar_symbols",
};

const dailyClose: Shape = {
  fields: { close: "decimal" },
  required: "date close",
};

const publicHistoryMeta: Shape = {
  fields: {},
  required: "count",
};

const publicHistory: Shape = {
  fields: { as_of: "instant", series: { list: dailyClose }, meta: publicHistoryMeta },
  required: "symbol quote_currency unit interval from to as_of series meta",
};

const source: Shape = {
  fields: { price: "decimal" },
  required: "source",
};

const spotRow: Shape = {
  fields: {
    price: "decimal",
    bid: "decimal",
    ask: "decimal",
    computed_at: "instant",
    sources: { list: source },
    price_usd: "decimal",
    fx_rate: "decimal",
    fx_at: "instant",
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
  required: "symbol quote_currency unit contract_type is_stale",
};

const prices: Shape = {
  fields: { symbols: { list: spotRow } },
  required: "symbols",
};

const divergedRow: Shape = {
  fields: { primary_sources: { list: source }, computed_at: "instant" },
  required: "symbol quote_currency contract_type divergence_bps primary_sources computed_at",
};

const divergence: Shape = {
  fields: { computed_at: "instant", diverged: { list: divergedRow } },
  required: "threshold_bps computed_at",
};

const seriesEntry: Shape = {
  fields: { open: "decimal", high: "decimal", low: "decimal", close: "decimal" },
  required: "date open? high? low? close? volume? is_stale is_closed",
};

const historyMeta: Shape = {
  fields: {},
  required: "tier count ohlc_note",
};

const history: Shape = {
  fields: { series: { list: seriesEntry }, meta: historyMeta },
  required: "symbol interval from to series meta",
};

const spotAnswer: Shape = {
  fields: {
    price: "decimal",
    bid: "decimal",
    ask: "decimal",
    computed_at: "instant",
    sources: { list: source },
    price_usd: "decimal",
    fx_rate: "decimal",
    fx_at: "instant",
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
    as_of: "instant",
  },
  required: "symbol quote_currency unit contract_type is_stale",
};

const bar: Shape = {
  fields: { bar_start: "instant", open: "decimal", high: "decimal", low: "decimal", close: "decimal", volume: "decimal" },
  required: "bar_start open? high? low? close? volume? is_closed",
};

const barsMeta: Shape = {
  fields: {},
  required: "tier count source_id?",
};

const barsPage: Shape = {
  fields: { bars: { list: bar }, meta: barsMeta },
  required: "symbol interval bars next_cursor? meta",
};

const latestBar: Shape = {
  fields: { bar, meta: barsMeta },
  required: "symbol interval bar? meta",
};

const downloadLink: Shape = {
  fields: {},
  required: "location",
};

const ratioPoint: Shape = {
  fields: { ratio: "decimal", numerator_close: "decimal", denominator_close: "decimal" },
  required: "date ratio numerator_close denominator_close",
};

const ratiosMeta: Shape = {
  fields: {},
  required: "tier count",
};

const ratiosPage: Shape = {
  fields: { points: { list: ratioPoint }, meta: ratiosMeta },
  required: "pair numerator denominator interval points next_cursor? meta",
};

const latestRatio: Shape = {
  fields: { point: ratioPoint, meta: ratiosMeta },
  required: "pair numerator denominator interval point? meta",
};

const seriesPoint: Shape = {
  fields: { price: "decimal", usd_close: "decimal", fx_rate: "decimal" },
  required: "date price usd_close fx_rate fx_date",
};

const seriesMeta: Shape = {
  fields: {},
  required: "tier count",
};

const seriesPage: Shape = {
  fields: { fineness: "decimal", points: { list: seriesPoint }, meta: seriesMeta },
  required: "symbol quote_currency unit fineness interval points next_cursor? meta",
};

const settlement: Shape = {
  fields: {
    settlement_price: "decimal",
    prior_settlement: "decimal",
    change_value: "decimal",
    source_timestamp: "instant",
    fetched_at: "instant",
  },
  required:
    "symbol settlement_date settlement_price? prior_settlement? change_value? volume? open_interest? source? source_type source_timestamp? fetched_at?",
};

const settlements: Shape = {
  fields: { settlements: { list: settlement } },
  required: "settlements",
};

const correctionFigures: Shape = {
  fields: { open: "decimal", high: "decimal", low: "decimal", close: "decimal", volume: "decimal" },
  required: "open? high? low? close? volume?",
};

const correction: Shape = {
  fields: { recorded_at: "instant", bar_start: "instant", before: correctionFigures, after: correctionFigures },
  required:
    "number epoch revision recorded_at symbol interval? bar_start? settlement_date? futures_contract? reason before after? previous? digest",
};

const correctionsMeta: Shape = {
  fields: {},
  required: "tier count",
};

const correctionsPage: Shape = {
  fields: { corrections: { list: correction }, meta: correctionsMeta },
  required: "epoch corrections next_since meta",
};

const chainHead: Shape = {
  fields: { recorded_at: "instant" },
  required: "epoch number digest? recorded_at?",
};

const sourceDeviation: Shape = {
  fields: {},
  required: "median? p99?",
};

const sourceIncident: Shape = {
  fields: { from: "instant", to: "instant" },
  required: "from to? kind",
};

const sourceRecord: Shape = {
  fields: { deviation_bps: sourceDeviation, last_accepted_at: "instant", incidents: { list: sourceIncident } },
  required:
    "source display_name origin license instrument cadence_seconds expected received accepted refused availability? deviation_bps last_accepted_at? incidents",
};

const sourceRecords: Shape = {
  fields: { from: "instant", to: "instant", sources: { list: sourceRecord } },
  required: "window from to sources",
};

const dayBars: Shape = {
  fields: {},
  required: "interval expected present",
};

const dayQuality: Shape = {
  fields: { bars: dayBars },
  required: "date condition origins? bars last_revision?",
};

const qualityMeta: Shape = {
  fields: {},
  required: "tier count",
};

const qualityDays: Shape = {
  fields: { days: { list: dayQuality }, meta: qualityMeta },
  required: "symbol days meta",
};

const futuresBlock: Shape = {
  fields: { settle_usd: "decimal" },
  required: "contract settle_usd settle_source settle_age_seconds open_interest? volume?",
};

const horizon: Shape = {
  fields: { futures: futuresBlock },
  required: "expiry futures? errors",
};

const forwardSource: Shape = {
  fields: { retrieved_at: "instant" },
  required: "id publisher url retrieved_at? type",
};

const forwardView: Shape = {
  fields: { spot_usd: "decimal", computed_at: "instant", horizons: { list: horizon }, sources: { list: forwardSource } },
  required: "asset spot_usd computed_at horizons sources errors",
};

const conversion: Shape = {
  fields: {
    amount: "decimal",
    rate: "decimal",
    result: "decimal",
    timestamp: "instant",
    price_usd: "decimal",
    fx_rate: "decimal",
    fx_at: "instant",
  },
  required: "from to amount rate result unit timestamp",
};

const karatPrices: Shape = {
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
    price_usd: "decimal",
    fx_rate: "decimal",
    fx_at: "instant",
  },
  required:
    "currency timestamp price_gram_24k price_gram_22k price_gram_21k price_gram_20k price_gram_18k price_gram_16k price_gram_14k price_gram_10k",
};

const quotedMetal: Shape = {
  fields: {
    price_usd: "decimal",
    unit_grams: "decimal",
    price_per_fine_gram: "decimal",
    fx_rate: "decimal",
    fx_at: "instant",
    computed_at: "instant",
  },
  required: "metal side basis price_usd unit_grams price_per_fine_gram fx_rate fx_source is_stale",
};

const pieceError: Shape = {
  fields: {},
  required: "code message path",
};

const askedMaking: Shape = { fields: { per_gram: "decimal", percent: "decimal", fixed: "decimal" } };

const askedPiece: Shape = {
  fields: {
    weight: "decimal",
    fineness: "decimal",
    margin_percent: "decimal",
    making: askedMaking,
    tax_percent: "decimal",
    round_to: "decimal",
  },
  required: "weight unit tax_on",
};

const quotedPiece: Shape = {
  fields: {
    fine_weight_grams: "decimal",
    metal_value: "decimal",
    margin: "decimal",
    making: "decimal",
    tax: "decimal",
    total: "decimal",
    error: pieceError,
    rounding: "decimal",
    weight_grams: "decimal",
    asked: askedPiece,
  },
};

const sideTotals: Shape = {
  fields: {
    metal_value: "decimal",
    margin: "decimal",
    charges: "decimal",
    tax: "decimal",
    rounding: "decimal",
    total: "decimal",
  },
  required: "metal_value margin charges tax total",
};

const billTotals: Shape = {
  fields: {
    metal_value: "decimal",
    making: "decimal",
    tax: "decimal",
    total: "decimal",
    sell: sideTotals,
    buy: sideTotals,
    due: "decimal",
  },
  required: "metal_value making tax total sell buy due",
};

const bill: Shape = {
  fields: { computed_at: "instant", prices: { list: quotedMetal }, items: { list: quotedPiece }, totals: billTotals },
  required: "currency computed_at prices items totals",
};

const physicalCountry: Shape = {
  fields: { last_fetched_at: "instant" },
  required: "country name currency sources quotes last_fetched_at? is_stale",
};

const physicalMeta: Shape = {
  fields: {},
  required: "tier count",
};

const physicalIndex: Shape = {
  fields: { countries: { list: physicalCountry }, computed_at: "instant", meta: physicalMeta },
  required: "countries computed_at meta",
};

const spotReference: Shape = {
  fields: { price_usd: "decimal", fx_rate: "decimal", price_local_per_gram: "decimal", computed_at: "instant" },
  required: "symbol price_usd fx_rate? fx_source? price_local_per_gram? computed_at is_stale",
};

const dealerQuote: Shape = {
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
  required:
    "id source dealer kind metal product form karat? fineness weight weight_unit weight_grams sell_price? buyback_price? price_per_fine_gram? premium_over_spot_bps? buyback_premium_bps? spread_bps? tax_included source_url quoted_at fetched_at is_stale",
};

const physicalCountryMeta: Shape = {
  fields: {},
  required: "tier count",
};

const physicalQuotes: Shape = {
  fields: { spot_reference: spotReference, quotes: { list: dealerQuote }, meta: physicalCountryMeta },
  required: "country name currency spot_reference? quotes errors meta",
};

const surfacePercentiles: Shape = {
  fields: { p10: "decimal", p25: "decimal", p50: "decimal", p75: "decimal", p90: "decimal" },
  required: "p10 p25 p50 p75 p90",
};

const surfacePoint: Shape = {
  fields: { strike: "decimal" },
  required: "strike prob_above raw_prob_above? sources extrapolated",
};

const surfaceVenue: Shape = {
  fields: { volume_usd: "decimal", retrieved_at: "instant" },
  required: "venue type markets_used volume_usd? retrieved_at",
};

const surface: Shape = {
  fields: {
    spot_usd: "decimal",
    forward_usd: "decimal",
    percentiles: surfacePercentiles,
    points: { list: surfacePoint },
    venues: { list: surfaceVenue },
    computed_at: "instant",
  },
  required:
    "metal horizon is_default_horizon spot_usd forward_usd? percentiles points venues confidence thin_liquidity method flags computed_at snapshot_age_seconds disclaimer",
};

const surfaceHorizon: Shape = {
  fields: {},
  required: "horizon days_to_expiry markets_count venues snapshot_age_seconds",
};

const expiriesMeta: Shape = {
  fields: {},
  required: "tier count",
};

const horizonIndex: Shape = {
  fields: { horizons: { list: surfaceHorizon }, meta: expiriesMeta },
  required: "metal default_horizon horizons meta",
};

const signalBuy: Shape = {
  fields: { price: "decimal", size_usd: "decimal" },
  required: "venue market_id side price size_usd",
};

const signalSell: Shape = {
  fields: { price: "decimal", size_usd: "decimal" },
  required: "venue market_id side price size_usd",
};

const arbitrageSignal: Shape = {
  fields: { strike: "decimal", buy: signalBuy, sell: signalSell, executable_size_usd: "decimal", detected_at: "instant" },
  required: "id horizon_target type strike buy sell gross_edge_bps fees_bps net_edge_bps executable_size_usd detected_at",
};

const arbitrageSignals: Shape = {
  fields: { signals: { list: arbitrageSignal } },
  required: "metal signals",
};

const key: Shape = {
  fields: { created_at: "instant", last_used_at: "instant", revoked_at: "instant", expires_at: "instant" },
  required: "id key_prefix name created_at last_used_at? revoked_at?",
};

const mintedKey: Shape = {
  fields: { created_at: "instant", previous_key_revokes_at: "instant", expires_at: "instant" },
  required: "id plaintext key_prefix created_at previous_key_revokes_at?",
};

const dayUsage: Shape = {
  fields: {},
  required: "date calls",
};

const usage: Shape = {
  fields: { resets_at: "instant", days: { list: dayUsage } },
  required: "calls_today calls_this_month active_streams? max_streams? tier monthly_quota remaining_this_month resets_at days?",
};

const alert: Shape = {
  fields: { threshold: "decimal", last_fired_at: "instant", created_at: "instant", updated_at: "instant" },
  required:
    "id name symbol kind threshold? window_seconds? direction? once endpoint_id state paused_reason? last_fired_at? created_at updated_at",
};

const alertList: Shape = {
  fields: { alerts: { list: alert } },
  required: "alerts max_alerts",
};

const changedAlert: Shape = {
  fields: { threshold: "decimal", last_fired_at: "instant", created_at: "instant", updated_at: "instant" },
  required:
    "id name symbol kind threshold? window_seconds? direction? once endpoint_id state paused_reason? last_fired_at? created_at updated_at already_true",
};

const endpoint: Shape = {
  fields: { created_at: "instant", failing_since: "instant", disabled_at: "instant" },
  required: "id url created_at failing_since? disabled_at? disabled_reason?",
};

const endpointList: Shape = {
  fields: { endpoints: { list: endpoint } },
  required: "endpoints",
};

const madeEndpoint: Shape = {
  fields: { created_at: "instant", failing_since: "instant", disabled_at: "instant" },
  required: "id url created_at failing_since? disabled_at? disabled_reason? secret",
};

const testSent: Shape = {
  fields: {},
  required: "delivery_id",
};

const rotatedSecret: Shape = {
  fields: { previous_secret_until: "instant" },
  required: "id secret previous_secret_until",
};

const delivery: Shape = {
  fields: { created_at: "instant", next_try_at: "instant", last_try_at: "instant" },
  required: "id type alert_id? endpoint_id status tries created_at next_try_at? last_try_at? last_status? last_error? payload",
};

const deliveriesPage: Shape = {
  fields: { deliveries: { list: delivery } },
  required: "deliveries next_cursor?",
};

const making: Shape = { fields: { per_gram: "decimal", percent: "decimal", fixed: "decimal" } };

const piece: Shape = {
  fields: { weight: "decimal", margin_percent: "decimal", making, tax_percent: "decimal", round_to: "decimal" },
};

/** GET /v1/health */
export const systemHealth: Operation<Health, Wire.Health> = {
  name: "system.health",
  method: "GET",
  path: "/v1/health",
  parameters: {},
  result: health,
};

/** GET /v1/status */
export const systemStatus: Operation<Status, Wire.Status> = {
  name: "system.status",
  method: "GET",
  path: "/v1/status",
  parameters: {},
  result: status,
};

/** GET /v1/metadata/tiers */
export const tiersList: Operation<readonly Tier[], readonly Wire.Tier[]> = {
  name: "tiers.list",
  method: "GET",
  path: "/v1/metadata/tiers",
  parameters: {},
  result: { list: tier },
};

/** GET /v1/metadata/catalog */
export const catalogGet: Operation<Catalog, Wire.Catalog> = {
  name: "catalog.get",
  method: "GET",
  path: "/v1/metadata/catalog",
  parameters: {},
  result: catalog,
};

/** GET /v1/public/xau-history */
export const publicHistoryXau: Operation<PublicHistory, Wire.PublicHistory> = {
  name: "publicHistory.xau",
  method: "GET",
  path: "/v1/public/xau-history",
  parameters: {},
  result: publicHistory,
};

/** GET /v1/prices */
export const pricesList: Operation<Prices, Wire.Prices> = {
  name: "prices.list",
  method: "GET",
  path: "/v1/prices",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    include: { in: "query", name: "include", kind: "words" },
  },
  result: prices,
};

/** GET /v1/prices/divergence */
export const pricesDivergence: Operation<Divergence, Wire.Divergence> = {
  name: "prices.divergence",
  method: "GET",
  path: "/v1/prices/divergence",
  parameters: {
    threshold: { in: "query", name: "threshold", kind: "text" },
  },
  result: divergence,
};

/** GET /v1/prices/history */
export const pricesHistory: Operation<History, Wire.History> = {
  name: "prices.history",
  method: "GET",
  path: "/v1/prices/history",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    interval: { in: "query", name: "interval", kind: "text" },
    limit: { in: "query", name: "limit", kind: "text" },
  },
  result: history,
  deprecated: { successor: "bars.list" },
};

/** GET /v1/spot/{symbol} */
export const spotGet: Operation<SpotAnswer, Wire.SpotAnswer> = {
  name: "spot.get",
  method: "GET",
  path: "/v1/spot/{symbol}",
  parameters: {
    symbol: { in: "path", name: "symbol", kind: "text" },
    include: { in: "query", name: "include", kind: "words" },
    at: { in: "query", name: "at", kind: "instant" },
  },
  result: spotAnswer,
};

/** GET /v1/bars */
export const barsList: Operation<BarsPage, Wire.BarsPage> = {
  name: "bars.list",
  method: "GET",
  path: "/v1/bars",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    interval: { in: "query", name: "interval", kind: "text" },
    from: { in: "query", name: "from", kind: "instant" },
    to: { in: "query", name: "to", kind: "instant" },
    limit: { in: "query", name: "limit", kind: "text" },
    cursor: { in: "query", name: "cursor", kind: "text" },
    order: { in: "query", name: "order", kind: "text" },
    knownAt: { in: "query", name: "known_at", kind: "instant" },
  },
  result: barsPage,
  paging: { items: "bars", closed: "is_closed" },
};

/** GET /v1/bars/latest */
export const barsLatest: Operation<LatestBar, Wire.LatestBar> = {
  name: "bars.latest",
  method: "GET",
  path: "/v1/bars/latest",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    interval: { in: "query", name: "interval", kind: "text" },
    knownAt: { in: "query", name: "known_at", kind: "instant" },
  },
  result: latestBar,
};

/** GET /v1/download */
export const downloadsLink: Operation<DownloadLink, Wire.DownloadLink> = {
  name: "downloads.link",
  method: "GET",
  path: "/v1/download",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    year: { in: "query", name: "year", kind: "text" },
    interval: { in: "query", name: "interval", kind: "text" },
    fmt: { in: "query", name: "fmt", kind: "text" },
  },
  result: downloadLink,
  redirects: true,
};

/** GET /v1/ratios */
export const ratiosList: Operation<RatiosPage, Wire.RatiosPage> = {
  name: "ratios.list",
  method: "GET",
  path: "/v1/ratios",
  parameters: {
    pair: { in: "query", name: "pair", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    limit: { in: "query", name: "limit", kind: "text" },
    cursor: { in: "query", name: "cursor", kind: "text" },
    order: { in: "query", name: "order", kind: "text" },
    knownAt: { in: "query", name: "known_at", kind: "instant" },
  },
  result: ratiosPage,
  paging: { items: "points" },
};

/** GET /v1/ratios/latest */
export const ratiosLatest: Operation<LatestRatio, Wire.LatestRatio> = {
  name: "ratios.latest",
  method: "GET",
  path: "/v1/ratios/latest",
  parameters: {
    pair: { in: "query", name: "pair", kind: "text" },
    knownAt: { in: "query", name: "known_at", kind: "instant" },
  },
  result: latestRatio,
};

/** GET /v1/series */
export const seriesList: Operation<SeriesPage, Wire.SeriesPage> = {
  name: "series.list",
  method: "GET",
  path: "/v1/series",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    unit: { in: "query", name: "unit", kind: "text" },
    karat: { in: "query", name: "karat", kind: "text" },
    fineness: { in: "query", name: "fineness", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    limit: { in: "query", name: "limit", kind: "text" },
    cursor: { in: "query", name: "cursor", kind: "text" },
    order: { in: "query", name: "order", kind: "text" },
    knownAt: { in: "query", name: "known_at", kind: "instant" },
  },
  result: seriesPage,
  paging: { items: "points" },
};

/** GET /v1/settlements */
export const settlementsList: Operation<Settlements, Wire.Settlements> = {
  name: "settlements.list",
  method: "GET",
  path: "/v1/settlements",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
    limit: { in: "query", name: "limit", kind: "text" },
    knownAt: { in: "query", name: "known_at", kind: "instant" },
  },
  result: settlements,
};

/** GET /v1/corrections */
export const correctionsList: Operation<CorrectionsPage, Wire.CorrectionsPage> = {
  name: "corrections.list",
  method: "GET",
  path: "/v1/corrections",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    since: { in: "query", name: "since", kind: "text" },
    limit: { in: "query", name: "limit", kind: "text" },
  },
  result: correctionsPage,
};

/** GET /v1/corrections/head */
export const correctionsHead: Operation<ChainHead, Wire.ChainHead> = {
  name: "corrections.head",
  method: "GET",
  path: "/v1/corrections/head",
  parameters: {},
  result: chainHead,
};

/** GET /v1/sources */
export const sourcesList: Operation<SourceRecords, Wire.SourceRecords> = {
  name: "sources.list",
  method: "GET",
  path: "/v1/sources",
  parameters: {
    window: { in: "query", name: "window", kind: "text" },
    symbol: { in: "query", name: "symbol", kind: "text" },
    source: { in: "query", name: "source", kind: "text" },
  },
  result: sourceRecords,
};

/** GET /v1/quality */
export const qualityList: Operation<QualityDays, Wire.QualityDays> = {
  name: "quality.list",
  method: "GET",
  path: "/v1/quality",
  parameters: {
    symbol: { in: "query", name: "symbol", kind: "text" },
    from: { in: "query", name: "from", kind: "day" },
    to: { in: "query", name: "to", kind: "day" },
  },
  result: qualityDays,
};

/** GET /v1/forward-view/{asset} */
export const forwardViewGet: Operation<ForwardView, Wire.ForwardView> = {
  name: "forwardView.get",
  method: "GET",
  path: "/v1/forward-view/{asset}",
  parameters: {
    asset: { in: "path", name: "asset", kind: "text" },
  },
  result: forwardView,
};

/** GET /v1/convert */
export const convertGet: Operation<Conversion, Wire.Conversion> = {
  name: "convert.get",
  method: "GET",
  path: "/v1/convert",
  parameters: {
    from: { in: "query", name: "from", kind: "text" },
    to: { in: "query", name: "to", kind: "text" },
    amount: { in: "query", name: "amount", kind: "decimal" },
    unit: { in: "query", name: "unit", kind: "text" },
    include: { in: "query", name: "include", kind: "words" },
  },
  result: conversion,
};

/** GET /v1/carat */
export const caratGet: Operation<KaratPrices, Wire.KaratPrices> = {
  name: "carat.get",
  method: "GET",
  path: "/v1/carat",
  parameters: {
    currency: { in: "query", name: "currency", kind: "text" },
    include: { in: "query", name: "include", kind: "words" },
  },
  result: karatPrices,
};

/** POST /v1/quotes */
export const quotesCreate: Operation<Bill, Wire.Bill> = {
  name: "quotes.create",
  method: "POST",
  path: "/v1/quotes",
  parameters: {
    currency: { in: "body", name: "currency", kind: "text" },
    items: { in: "body", name: "items", kind: { list: piece } },
  },
  result: bill,
  computes: true,
};

/** GET /v1/physical */
export const physicalList: Operation<PhysicalIndex, Wire.PhysicalIndex> = {
  name: "physical.list",
  method: "GET",
  path: "/v1/physical",
  parameters: {},
  result: physicalIndex,
};

/** GET /v1/physical/{country} */
export const physicalGet: Operation<PhysicalQuotes, Wire.PhysicalQuotes> = {
  name: "physical.get",
  method: "GET",
  path: "/v1/physical/{country}",
  parameters: {
    country: { in: "path", name: "country", kind: "text" },
  },
  result: physicalQuotes,
};

/** GET /v1/surface/{metal} */
export const surfaceGet: Operation<Surface, Wire.Surface> = {
  name: "surface.get",
  method: "GET",
  path: "/v1/surface/{metal}",
  parameters: {
    metal: { in: "path", name: "metal", kind: "text" },
    horizon: { in: "query", name: "horizon", kind: "day" },
  },
  result: surface,
};

/** GET /v1/surface/{metal}/expiries */
export const surfaceExpiries: Operation<HorizonIndex, Wire.HorizonIndex> = {
  name: "surface.expiries",
  method: "GET",
  path: "/v1/surface/{metal}/expiries",
  parameters: {
    metal: { in: "path", name: "metal", kind: "text" },
  },
  result: horizonIndex,
};

/** GET /v1/signals/arbitrage */
export const signalsArbitrage: Operation<ArbitrageSignals, Wire.ArbitrageSignals> = {
  name: "signals.arbitrage",
  method: "GET",
  path: "/v1/signals/arbitrage",
  parameters: {
    metal: { in: "query", name: "metal", kind: "text" },
  },
  result: arbitrageSignals,
};

/** GET /v1/account/keys */
export const accountListKeys: Operation<readonly Key[], readonly Wire.Key[]> = {
  name: "account.listKeys",
  method: "GET",
  path: "/v1/account/keys",
  parameters: {},
  result: { list: key },
};

/** POST /v1/account/keys */
export const accountMintKey: Operation<MintedKey, Wire.MintedKey> = {
  name: "account.mintKey",
  method: "POST",
  path: "/v1/account/keys",
  parameters: {
    name: { in: "body", name: "name", kind: "text" },
  },
  result: mintedKey,
};

/** DELETE /v1/account/keys/{key_id} */
export const accountRevokeKey: Operation<void, void> = {
  name: "account.revokeKey",
  method: "DELETE",
  path: "/v1/account/keys/{key_id}",
  parameters: {
    keyId: { in: "path", name: "key_id", kind: "text" },
  },
  result: null,
};

/** GET /v1/account/usage */
export const accountUsage: Operation<Usage, Wire.Usage> = {
  name: "account.usage",
  method: "GET",
  path: "/v1/account/usage",
  parameters: {},
  result: usage,
};

/** GET /v1/account/alerts */
export const alertsList: Operation<AlertList, Wire.AlertList> = {
  name: "alerts.list",
  method: "GET",
  path: "/v1/account/alerts",
  parameters: {},
  result: alertList,
};

/** POST /v1/account/alerts */
export const alertsCreate: Operation<ChangedAlert, Wire.ChangedAlert> = {
  name: "alerts.create",
  method: "POST",
  path: "/v1/account/alerts",
  parameters: {
    symbol: { in: "body", name: "symbol", kind: "text" },
    kind: { in: "body", name: "kind", kind: "text" },
    threshold: { in: "body", name: "threshold", kind: "decimal" },
    windowSeconds: { in: "body", name: "window_seconds", kind: "text" },
    direction: { in: "body", name: "direction", kind: "text" },
    once: { in: "body", name: "once", kind: "text" },
    endpointId: { in: "body", name: "endpoint_id", kind: "text" },
    name: { in: "body", name: "name", kind: "text" },
  },
  result: changedAlert,
};

/** GET /v1/account/alerts/{alert_id} */
export const alertsGet: Operation<Alert, Wire.Alert> = {
  name: "alerts.get",
  method: "GET",
  path: "/v1/account/alerts/{alert_id}",
  parameters: {
    alertId: { in: "path", name: "alert_id", kind: "text" },
  },
  result: alert,
};

/** PATCH /v1/account/alerts/{alert_id} */
export const alertsUpdate: Operation<ChangedAlert, Wire.ChangedAlert> = {
  name: "alerts.update",
  method: "PATCH",
  path: "/v1/account/alerts/{alert_id}",
  parameters: {
    alertId: { in: "path", name: "alert_id", kind: "text" },
    threshold: { in: "body", name: "threshold", kind: "decimal" },
    windowSeconds: { in: "body", name: "window_seconds", kind: "text" },
    direction: { in: "body", name: "direction", kind: "text" },
    once: { in: "body", name: "once", kind: "text" },
    endpointId: { in: "body", name: "endpoint_id", kind: "text" },
    name: { in: "body", name: "name", kind: "text" },
  },
  result: changedAlert,
};

/** DELETE /v1/account/alerts/{alert_id} */
export const alertsDelete: Operation<void, void> = {
  name: "alerts.delete",
  method: "DELETE",
  path: "/v1/account/alerts/{alert_id}",
  parameters: {
    alertId: { in: "path", name: "alert_id", kind: "text" },
  },
  result: null,
};

/** GET /v1/account/endpoints */
export const endpointsList: Operation<EndpointList, Wire.EndpointList> = {
  name: "endpoints.list",
  method: "GET",
  path: "/v1/account/endpoints",
  parameters: {},
  result: endpointList,
};

/** POST /v1/account/endpoints */
export const endpointsCreate: Operation<MadeEndpoint, Wire.MadeEndpoint> = {
  name: "endpoints.create",
  method: "POST",
  path: "/v1/account/endpoints",
  parameters: {
    url: { in: "body", name: "url", kind: "text" },
  },
  result: madeEndpoint,
};

/** DELETE /v1/account/endpoints/{endpoint_id} */
export const endpointsDelete: Operation<void, void> = {
  name: "endpoints.delete",
  method: "DELETE",
  path: "/v1/account/endpoints/{endpoint_id}",
  parameters: {
    endpointId: { in: "path", name: "endpoint_id", kind: "text" },
  },
  result: null,
};

/** POST /v1/account/endpoints/{endpoint_id}/test */
export const endpointsTest: Operation<TestSent, Wire.TestSent> = {
  name: "endpoints.test",
  method: "POST",
  path: "/v1/account/endpoints/{endpoint_id}/test",
  parameters: {
    endpointId: { in: "path", name: "endpoint_id", kind: "text" },
  },
  result: testSent,
};

/** POST /v1/account/endpoints/{endpoint_id}/rotate */
export const endpointsRotate: Operation<RotatedSecret, Wire.RotatedSecret> = {
  name: "endpoints.rotate",
  method: "POST",
  path: "/v1/account/endpoints/{endpoint_id}/rotate",
  parameters: {
    endpointId: { in: "path", name: "endpoint_id", kind: "text" },
  },
  result: rotatedSecret,
};

/** GET /v1/account/deliveries */
export const deliveriesList: Operation<DeliveriesPage, Wire.DeliveriesPage> = {
  name: "deliveries.list",
  method: "GET",
  path: "/v1/account/deliveries",
  parameters: {
    alertId: { in: "query", name: "alert_id", kind: "text" },
    endpointId: { in: "query", name: "endpoint_id", kind: "text" },
    status: { in: "query", name: "status", kind: "text" },
    limit: { in: "query", name: "limit", kind: "text" },
    cursor: { in: "query", name: "cursor", kind: "text" },
  },
  result: deliveriesPage,
  paging: { items: "deliveries" },
};

/** POST /v1/account/deliveries/{delivery_id}/redeliver */
export const deliveriesRedeliver: Operation<Delivery, Wire.Delivery> = {
  name: "deliveries.redeliver",
  method: "POST",
  path: "/v1/account/deliveries/{delivery_id}/redeliver",
  parameters: {
    deliveryId: { in: "path", name: "delivery_id", kind: "text" },
  },
  result: delivery,
};

/** GET /v1/spot/{symbol}?format=jws */
export const spotReceipt = /* @__PURE__ */ receiptOf(spotGet);

/** GET /v1/corrections/head?format=jws */
export const correctionsReceipt = /* @__PURE__ */ receiptOf(correctionsHead);

/** GET /v1/convert?format=jws */
export const convertReceipt = /* @__PURE__ */ receiptOf(convertGet);

/** GET /v1/carat?format=jws */
export const caratReceipt = /* @__PURE__ */ receiptOf(caratGet);

/** POST /v1/quotes?format=jws */
export const quotesReceipt = /* @__PURE__ */ receiptOf(quotesCreate);
