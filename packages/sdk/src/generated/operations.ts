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

const health: Shape = { fields: "status service version" };

const check: Shape = { fields: "ok" };

const barsCheck: Shape = { fields: "ok last_bar_at:i? age_seconds?" };

const writerCheck: Shape = { fields: "ok configured? lease_owner? lease_expires_at:i? fencing_token?" };

const statusChecks: Shape = {
  fields: "cache bars live_writer",
  parts: { cache: check, bars: barsCheck, live_writer: writerCheck },
};

const feedStatus: Shape = {
  fields:
    "status required expected_interval_seconds last_success_at:i? age_seconds? consecutive_failures rejected_observations last_error?",
};

const valueStaleness: Shape = { fields: "is_stale age_seconds? reason?" };

const statusMarket: Shape = { fields: "state next_change_at:i?" };

const historyStatus: Shape = { fields: "complete pending" };

const archivesStatus: Shape = { fields: "pending? built last_built_at:i? last_error?" };

const keylessAccess: Shape = { fields: "tier description" };

const status: Shape = {
  fields: "status checked_at:i version checks scrapers value_staleness market history archives? keyless simulated reasons",
  parts: {
    checks: statusChecks,
    scrapers: { record: feedStatus },
    value_staleness: { record: valueStaleness },
    market: statusMarket,
    history: historyStatus,
    archives: archivesStatus,
    keyless: keylessAccess,
  },
};

const tier: Shape = {
  fields:
    "name monthly_price_usd:d yearly_price_usd:d rate_limit_per_minute monthly_quota allowed_bases allowed_contracts includes_mcp commercial_use support_sla_hours? max_concurrent_streams max_alerts hidden",
};

const catalogBounds: Shape = { fields: "low:d high:d" };

const catalogFutures: Shape = { fields: "product main_months" };

const catalogMetal: Shape = {
  fields:
    "code name aliases unit coverage default_contract quoted_in tier convertible karats finenesses streams has_surface agreement_bps max_spread_percent bounds futures?",
  parts: { bounds: catalogBounds, futures: catalogFutures },
};

const catalogFund: Shape = {
  fields: "code name metal agreement_bps max_spread_percent bounds",
  parts: { bounds: catalogBounds },
};

const catalogPeg: Shape = { fields: "to units:d fixed" };

const catalogCurrency: Shape = { fields: "code name minor_units quoted peg? reference?", parts: { peg: catalogPeg } };

const catalogUnit: Shape = { fields: "code name grams:d accepted" };

const catalogRatio: Shape = { fields: "pair numerator denominator" };

const catalog: Shape = {
  fields: "metals funds currencies units ratios symbols bar_symbols",
  parts: {
    metals: { list: catalogMetal },
    funds: { list: catalogFund },
    currencies: { list: catalogCurrency },
    units: { list: catalogUnit },
    ratios: { list: catalogRatio },
  },
};

const dailyClose: Shape = { fields: "date close:d" };

const publicHistoryMeta: Shape = { fields: "count" };

const publicHistory: Shape = {
  fields: "symbol quote_currency unit interval from to as_of:i series meta",
  parts: { series: { list: dailyClose }, meta: publicHistoryMeta },
};

const source: Shape = { fields: "source price:d~" };

const spotRow: Shape = {
  fields:
    "symbol quote_currency unit contract_type is_stale price:d~ bid:d~ ask:d~ computed_at:i~ price_usd:d~ fx_rate:d~ fx_at:i~ price_gram_24k:d~ price_gram_22k:d~ price_gram_21k:d~ price_gram_20k:d~ price_gram_18k:d~ price_gram_16k:d~ price_gram_14k:d~ price_gram_10k:d~ open_price:d~ high_price:d~ low_price:d~ prev_close_price:d~ ch:d~ chp:d~",
  parts: { sources: { list: source } },
};

const prices: Shape = { fields: "symbols", parts: { symbols: { list: spotRow } } };

const divergedRow: Shape = {
  fields: "symbol quote_currency contract_type divergence_bps primary_sources computed_at:i",
  parts: { primary_sources: { list: source } },
};

const divergence: Shape = { fields: "threshold_bps computed_at:i", parts: { diverged: { list: divergedRow } } };

const seriesEntry: Shape = { fields: "date open:d? high:d? low:d? close:d? volume? is_stale is_closed" };

const historyMeta: Shape = { fields: "tier count ohlc_note" };

const history: Shape = {
  fields: "symbol interval from to series meta",
  parts: { series: { list: seriesEntry }, meta: historyMeta },
};

const spotAnswer: Shape = {
  fields:
    "symbol quote_currency unit contract_type is_stale price:d~ bid:d~ ask:d~ computed_at:i~ price_usd:d~ fx_rate:d~ fx_at:i~ price_gram_24k:d~ price_gram_22k:d~ price_gram_21k:d~ price_gram_20k:d~ price_gram_18k:d~ price_gram_16k:d~ price_gram_14k:d~ price_gram_10k:d~ open_price:d~ high_price:d~ low_price:d~ prev_close_price:d~ ch:d~ chp:d~ as_of:i~",
  parts: { sources: { list: source } },
};

const bar: Shape = { fields: "bar_start:i open:d? high:d? low:d? close:d? volume:d? is_closed" };

const barsMeta: Shape = { fields: "tier count source_id?" };

const barsPage: Shape = { fields: "symbol interval bars next_cursor? meta", parts: { bars: { list: bar }, meta: barsMeta } };

const latestBar: Shape = { fields: "symbol interval bar? meta", parts: { bar, meta: barsMeta } };

const downloadLink: Shape = { fields: "location" };

const ratioPoint: Shape = { fields: "date ratio:d numerator_close:d denominator_close:d" };

const ratiosMeta: Shape = { fields: "tier count" };

const ratiosPage: Shape = {
  fields: "pair numerator denominator interval points next_cursor? meta",
  parts: { points: { list: ratioPoint }, meta: ratiosMeta },
};

const latestRatio: Shape = {
  fields: "pair numerator denominator interval point? meta",
  parts: { point: ratioPoint, meta: ratiosMeta },
};

const seriesPoint: Shape = { fields: "date price:d usd_close:d fx_rate:d fx_date" };

const seriesMeta: Shape = { fields: "tier count" };

const seriesPage: Shape = {
  fields: "symbol quote_currency unit fineness:d interval points next_cursor? meta",
  parts: { points: { list: seriesPoint }, meta: seriesMeta },
};

const settlement: Shape = {
  fields:
    "symbol settlement_date settlement_price:d? prior_settlement:d? change_value:d? volume? open_interest? source? source_type source_timestamp:i? fetched_at:i?",
};

const settlements: Shape = { fields: "settlements", parts: { settlements: { list: settlement } } };

const correctionFigures: Shape = { fields: "open:d? high:d? low:d? close:d? volume:d?" };

const correction: Shape = {
  fields:
    "number epoch revision recorded_at:i symbol interval? bar_start:i? settlement_date? futures_contract? reason before after? previous? digest",
  parts: { before: correctionFigures, after: correctionFigures },
};

const correctionsMeta: Shape = { fields: "tier count" };

const correctionsPage: Shape = {
  fields: "epoch corrections next_since meta",
  parts: { corrections: { list: correction }, meta: correctionsMeta },
};

const chainHead: Shape = { fields: "epoch number digest? recorded_at:i?" };

const sourceDeviation: Shape = { fields: "median? p99?" };

const sourceIncident: Shape = { fields: "from:i to:i? kind" };

const sourceRecord: Shape = {
  fields:
    "source display_name origin license instrument cadence_seconds expected received accepted refused availability? deviation_bps last_accepted_at:i? incidents",
  parts: { deviation_bps: sourceDeviation, incidents: { list: sourceIncident } },
};

const sourceRecords: Shape = { fields: "window from:i to:i sources", parts: { sources: { list: sourceRecord } } };

const dayBars: Shape = { fields: "interval expected present" };

const dayQuality: Shape = { fields: "date condition origins? bars last_revision?", parts: { bars: dayBars } };

const qualityMeta: Shape = { fields: "tier count" };

const qualityDays: Shape = { fields: "symbol days meta", parts: { days: { list: dayQuality }, meta: qualityMeta } };

const futuresBlock: Shape = { fields: "contract settle_usd:d settle_source settle_age_seconds open_interest? volume?" };

const horizon: Shape = { fields: "expiry futures? errors", parts: { futures: futuresBlock } };

const forwardSource: Shape = { fields: "id publisher url retrieved_at:i? type" };

const forwardView: Shape = {
  fields: "asset spot_usd:d computed_at:i horizons sources errors",
  parts: { horizons: { list: horizon }, sources: { list: forwardSource } },
};

const conversion: Shape = { fields: "from to amount:d rate:d result:d unit timestamp:i price_usd:d~ fx_rate:d~ fx_at:i~" };

const karatPrices: Shape = {
  fields:
    "currency timestamp:i price_gram_24k:d price_gram_22k:d price_gram_21k:d price_gram_20k:d price_gram_18k:d price_gram_16k:d price_gram_14k:d price_gram_10k:d price_usd:d~ fx_rate:d~ fx_at:i~",
};

const quotedMetal: Shape = {
  fields: "metal side basis price_usd:d unit_grams:d price_per_fine_gram:d fx_rate:d fx_source fx_at:i~ computed_at:i~ is_stale",
};

const quotedCharge: Shape = { fields: "name amount:d tax:d~" };

const pieceError: Shape = { fields: "code message path" };

const askedMaking: Shape = { fields: "per_gram:d~ percent:d~ fixed:d~" };

const askedCharge: Shape = { fields: "name per_gram:d~ percent:d~ fixed:d~ tax_percent:d~" };

const askedPiece: Shape = {
  fields: "weight:d unit fineness:d~ margin_percent:d~ tax_percent:d~ tax_on round_to:d~",
  parts: { making: askedMaking, charges: { list: askedCharge } },
};

const quotedPiece: Shape = {
  fields: "fine_weight_grams:d~ metal_value:d~ margin:d~ making:d~ tax:d~ total:d~ rounding:d~ weight_grams:d~",
  parts: { charges: { list: quotedCharge }, error: pieceError, asked: askedPiece },
};

const sideTotals: Shape = { fields: "metal_value:d margin:d charges:d tax:d rounding:d~ total:d" };

const billTotals: Shape = {
  fields: "metal_value:d making:d tax:d total:d sell buy due:d",
  parts: { sell: sideTotals, buy: sideTotals },
};

const bill: Shape = {
  fields: "currency computed_at:i prices items totals",
  parts: { prices: { list: quotedMetal }, items: { list: quotedPiece }, totals: billTotals },
};

const physicalCountry: Shape = { fields: "country name currency sources quotes last_fetched_at:i? is_stale" };

const physicalMeta: Shape = { fields: "tier count" };

const physicalIndex: Shape = {
  fields: "countries computed_at:i meta",
  parts: { countries: { list: physicalCountry }, meta: physicalMeta },
};

const spotReference: Shape = {
  fields: "symbol price_usd:d fx_rate:d? fx_source? price_local_per_gram:d? computed_at:i is_stale",
};

const dealerQuote: Shape = {
  fields:
    "id source dealer kind metal product form karat? fineness:d weight:d weight_unit weight_grams:d sell_price:d? buyback_price:d? price_per_fine_gram:d? premium_over_spot_bps? buyback_premium_bps? spread_bps? tax_included source_url quoted_at:i fetched_at:i is_stale",
};

const physicalCountryMeta: Shape = { fields: "tier count" };

const physicalQuotes: Shape = {
  fields: "country name currency spot_reference? quotes errors meta",
  parts: { spot_reference: spotReference, quotes: { list: dealerQuote }, meta: physicalCountryMeta },
};

const surfacePercentiles: Shape = { fields: "p10:d p25:d p50:d p75:d p90:d" };

const surfacePoint: Shape = { fields: "strike:d prob_above raw_prob_above? sources extrapolated" };

const surfaceVenue: Shape = { fields: "venue type markets_used volume_usd:d? retrieved_at:i" };

const surface: Shape = {
  fields:
    "metal horizon is_default_horizon spot_usd:d forward_usd:d? percentiles points venues confidence thin_liquidity method flags computed_at:i snapshot_age_seconds disclaimer",
  parts: { percentiles: surfacePercentiles, points: { list: surfacePoint }, venues: { list: surfaceVenue } },
};

const surfaceHorizon: Shape = { fields: "horizon days_to_expiry markets_count venues snapshot_age_seconds" };

const expiriesMeta: Shape = { fields: "tier count" };

const horizonIndex: Shape = {
  fields: "metal default_horizon horizons meta",
  parts: { horizons: { list: surfaceHorizon }, meta: expiriesMeta },
};

const signalBuy: Shape = { fields: "venue market_id side price:d size_usd:d" };

const signalSell: Shape = { fields: "venue market_id side price:d size_usd:d" };

const arbitrageSignal: Shape = {
  fields: "id horizon_target type strike:d buy sell gross_edge_bps fees_bps net_edge_bps executable_size_usd:d detected_at:i",
  parts: { buy: signalBuy, sell: signalSell },
};

const arbitrageSignals: Shape = { fields: "metal signals", parts: { signals: { list: arbitrageSignal } } };

const key: Shape = { fields: "id key_prefix name created_at:i last_used_at:i? revoked_at:i? expires_at:i~" };

const mintedKey: Shape = { fields: "id plaintext key_prefix created_at:i previous_key_revokes_at:i? expires_at:i~" };

const dayUsage: Shape = { fields: "date calls" };

const usage: Shape = {
  fields: "calls_today calls_this_month active_streams? max_streams? tier monthly_quota remaining_this_month resets_at:i days?",
  parts: { days: { list: dayUsage } },
};

const alert: Shape = {
  fields:
    "id name symbol kind threshold:d? window_seconds? direction? once endpoint_id state paused_reason? last_fired_at:i? created_at:i updated_at:i",
};

const alertList: Shape = { fields: "alerts max_alerts", parts: { alerts: { list: alert } } };

const changedAlert: Shape = {
  fields:
    "id name symbol kind threshold:d? window_seconds? direction? once endpoint_id state paused_reason? last_fired_at:i? created_at:i updated_at:i already_true",
};

const endpoint: Shape = { fields: "id url created_at:i failing_since:i? disabled_at:i? disabled_reason?" };

const endpointList: Shape = { fields: "endpoints", parts: { endpoints: { list: endpoint } } };

const madeEndpoint: Shape = { fields: "id url created_at:i failing_since:i? disabled_at:i? disabled_reason? secret" };

const testSent: Shape = { fields: "delivery_id" };

const rotatedSecret: Shape = { fields: "id secret previous_secret_until:i" };

const delivery: Shape = {
  fields:
    "id type alert_id? endpoint_id status tries created_at:i next_try_at:i? last_try_at:i? last_status? last_error? payload",
};

const deliveriesPage: Shape = { fields: "deliveries next_cursor?", parts: { deliveries: { list: delivery } } };

const making: Shape = { fields: "per_gram:d~ percent:d~ fixed:d~" };

const charge: Shape = { fields: "per_gram:d~ percent:d~ fixed:d~ tax_percent:d~" };

const piece: Shape = {
  fields: "weight:d~ margin_percent:d~ tax_percent:d~ round_to:d~",
  parts: { making, charges: { list: charge } },
};

/** GET /v1/health */
export const systemHealth: Operation<Health, Wire.Health> = {
  name: "system.health",
  method: "GET",
  path: "/v1/health",
  parameters: "",
  result: health,
};

/** GET /v1/status */
export const systemStatus: Operation<Status, Wire.Status> = {
  name: "system.status",
  method: "GET",
  path: "/v1/status",
  parameters: "",
  result: status,
};

/** GET /v1/metadata/tiers */
export const tiersList: Operation<readonly Tier[], readonly Wire.Tier[]> = {
  name: "tiers.list",
  method: "GET",
  path: "/v1/metadata/tiers",
  parameters: "",
  result: { list: tier },
};

/** GET /v1/metadata/catalog */
export const catalogGet: Operation<Catalog, Wire.Catalog> = {
  name: "catalog.get",
  method: "GET",
  path: "/v1/metadata/catalog",
  parameters: "",
  result: catalog,
};

/** GET /v1/public/xau-history */
export const publicHistoryXau: Operation<PublicHistory, Wire.PublicHistory> = {
  name: "publicHistory.xau",
  method: "GET",
  path: "/v1/public/xau-history",
  parameters: "",
  result: publicHistory,
};

/** GET /v1/prices */
export const pricesList: Operation<Prices, Wire.Prices> = {
  name: "prices.list",
  method: "GET",
  path: "/v1/prices",
  parameters: "symbol include:w",
  result: prices,
};

/** GET /v1/prices/divergence */
export const pricesDivergence: Operation<Divergence, Wire.Divergence> = {
  name: "prices.divergence",
  method: "GET",
  path: "/v1/prices/divergence",
  parameters: "threshold",
  result: divergence,
};

/** GET /v1/prices/history */
export const pricesHistory: Operation<History, Wire.History> = {
  name: "prices.history",
  method: "GET",
  path: "/v1/prices/history",
  parameters: "symbol from:y to:y interval limit",
  result: history,
  deprecated: { successor: "bars.list" },
};

/** GET /v1/spot/{symbol} */
export const spotGet: Operation<SpotAnswer, Wire.SpotAnswer> = {
  name: "spot.get",
  method: "GET",
  path: "/v1/spot/{symbol}",
  parameters: "symbol include:w at:i",
  result: spotAnswer,
};

/** GET /v1/bars */
export const barsList: Operation<BarsPage, Wire.BarsPage> = {
  name: "bars.list",
  method: "GET",
  path: "/v1/bars",
  parameters: "symbol interval from:i to:i limit cursor order known_at:i",
  result: barsPage,
  paging: { items: "bars", closed: "is_closed" },
};

/** GET /v1/bars/latest */
export const barsLatest: Operation<LatestBar, Wire.LatestBar> = {
  name: "bars.latest",
  method: "GET",
  path: "/v1/bars/latest",
  parameters: "symbol interval known_at:i",
  result: latestBar,
};

/** GET /v1/download */
export const downloadsLink: Operation<DownloadLink, Wire.DownloadLink> = {
  name: "downloads.link",
  method: "GET",
  path: "/v1/download",
  parameters: "symbol year interval fmt",
  result: downloadLink,
  redirects: true,
};

/** GET /v1/ratios */
export const ratiosList: Operation<RatiosPage, Wire.RatiosPage> = {
  name: "ratios.list",
  method: "GET",
  path: "/v1/ratios",
  parameters: "pair from:y to:y limit cursor order known_at:i",
  result: ratiosPage,
  paging: { items: "points" },
};

/** GET /v1/ratios/latest */
export const ratiosLatest: Operation<LatestRatio, Wire.LatestRatio> = {
  name: "ratios.latest",
  method: "GET",
  path: "/v1/ratios/latest",
  parameters: "pair known_at:i",
  result: latestRatio,
};

/** GET /v1/series */
export const seriesList: Operation<SeriesPage, Wire.SeriesPage> = {
  name: "series.list",
  method: "GET",
  path: "/v1/series",
  parameters: "symbol unit karat fineness from:y to:y limit cursor order known_at:i",
  result: seriesPage,
  paging: { items: "points" },
};

/** GET /v1/settlements */
export const settlementsList: Operation<Settlements, Wire.Settlements> = {
  name: "settlements.list",
  method: "GET",
  path: "/v1/settlements",
  parameters: "symbol from:y to:y limit known_at:i",
  result: settlements,
};

/** GET /v1/corrections */
export const correctionsList: Operation<CorrectionsPage, Wire.CorrectionsPage> = {
  name: "corrections.list",
  method: "GET",
  path: "/v1/corrections",
  parameters: "symbol since limit",
  result: correctionsPage,
};

/** GET /v1/corrections/head */
export const correctionsHead: Operation<ChainHead, Wire.ChainHead> = {
  name: "corrections.head",
  method: "GET",
  path: "/v1/corrections/head",
  parameters: "",
  result: chainHead,
};

/** GET /v1/sources */
export const sourcesList: Operation<SourceRecords, Wire.SourceRecords> = {
  name: "sources.list",
  method: "GET",
  path: "/v1/sources",
  parameters: "window symbol source",
  result: sourceRecords,
};

/** GET /v1/quality */
export const qualityList: Operation<QualityDays, Wire.QualityDays> = {
  name: "quality.list",
  method: "GET",
  path: "/v1/quality",
  parameters: "symbol from:y to:y",
  result: qualityDays,
};

/** GET /v1/forward-view/{asset} */
export const forwardViewGet: Operation<ForwardView, Wire.ForwardView> = {
  name: "forwardView.get",
  method: "GET",
  path: "/v1/forward-view/{asset}",
  parameters: "asset",
  result: forwardView,
};

/** GET /v1/convert */
export const convertGet: Operation<Conversion, Wire.Conversion> = {
  name: "convert.get",
  method: "GET",
  path: "/v1/convert",
  parameters: "from to amount:d unit include:w",
  result: conversion,
};

/** GET /v1/carat */
export const caratGet: Operation<KaratPrices, Wire.KaratPrices> = {
  name: "carat.get",
  method: "GET",
  path: "/v1/carat",
  parameters: "currency include:w",
  result: karatPrices,
};

/** POST /v1/quotes */
export const quotesCreate: Operation<Bill, Wire.Bill> = {
  name: "quotes.create",
  method: "POST",
  path: "/v1/quotes",
  parameters: "currency items",
  parts: { items: { list: piece } },
  result: bill,
  computes: true,
};

/** GET /v1/physical */
export const physicalList: Operation<PhysicalIndex, Wire.PhysicalIndex> = {
  name: "physical.list",
  method: "GET",
  path: "/v1/physical",
  parameters: "",
  result: physicalIndex,
};

/** GET /v1/physical/{country} */
export const physicalGet: Operation<PhysicalQuotes, Wire.PhysicalQuotes> = {
  name: "physical.get",
  method: "GET",
  path: "/v1/physical/{country}",
  parameters: "country",
  result: physicalQuotes,
};

/** GET /v1/surface/{metal} */
export const surfaceGet: Operation<Surface, Wire.Surface> = {
  name: "surface.get",
  method: "GET",
  path: "/v1/surface/{metal}",
  parameters: "metal horizon:y",
  result: surface,
};

/** GET /v1/surface/{metal}/expiries */
export const surfaceExpiries: Operation<HorizonIndex, Wire.HorizonIndex> = {
  name: "surface.expiries",
  method: "GET",
  path: "/v1/surface/{metal}/expiries",
  parameters: "metal",
  result: horizonIndex,
};

/** GET /v1/signals/arbitrage */
export const signalsArbitrage: Operation<ArbitrageSignals, Wire.ArbitrageSignals> = {
  name: "signals.arbitrage",
  method: "GET",
  path: "/v1/signals/arbitrage",
  parameters: "metal",
  result: arbitrageSignals,
};

/** GET /v1/account/keys */
export const accountListKeys: Operation<readonly Key[], readonly Wire.Key[]> = {
  name: "account.listKeys",
  method: "GET",
  path: "/v1/account/keys",
  parameters: "",
  result: { list: key },
};

/** POST /v1/account/keys */
export const accountMintKey: Operation<MintedKey, Wire.MintedKey> = {
  name: "account.mintKey",
  method: "POST",
  path: "/v1/account/keys",
  parameters: "name",
  result: mintedKey,
};

/** DELETE /v1/account/keys/{key_id} */
export const accountRevokeKey: Operation<void, void> = {
  name: "account.revokeKey",
  method: "DELETE",
  path: "/v1/account/keys/{key_id}",
  parameters: "key_id",
  result: null,
};

/** GET /v1/account/usage */
export const accountUsage: Operation<Usage, Wire.Usage> = {
  name: "account.usage",
  method: "GET",
  path: "/v1/account/usage",
  parameters: "",
  result: usage,
};

/** GET /v1/account/alerts */
export const alertsList: Operation<AlertList, Wire.AlertList> = {
  name: "alerts.list",
  method: "GET",
  path: "/v1/account/alerts",
  parameters: "",
  result: alertList,
};

/** POST /v1/account/alerts */
export const alertsCreate: Operation<ChangedAlert, Wire.ChangedAlert> = {
  name: "alerts.create",
  method: "POST",
  path: "/v1/account/alerts",
  parameters: "symbol kind threshold:d window_seconds direction once endpoint_id name",
  result: changedAlert,
};

/** GET /v1/account/alerts/{alert_id} */
export const alertsGet: Operation<Alert, Wire.Alert> = {
  name: "alerts.get",
  method: "GET",
  path: "/v1/account/alerts/{alert_id}",
  parameters: "alert_id",
  result: alert,
};

/** PATCH /v1/account/alerts/{alert_id} */
export const alertsUpdate: Operation<ChangedAlert, Wire.ChangedAlert> = {
  name: "alerts.update",
  method: "PATCH",
  path: "/v1/account/alerts/{alert_id}",
  parameters: "alert_id threshold:d window_seconds direction once endpoint_id name",
  result: changedAlert,
};

/** DELETE /v1/account/alerts/{alert_id} */
export const alertsDelete: Operation<void, void> = {
  name: "alerts.delete",
  method: "DELETE",
  path: "/v1/account/alerts/{alert_id}",
  parameters: "alert_id",
  result: null,
};

/** GET /v1/account/endpoints */
export const endpointsList: Operation<EndpointList, Wire.EndpointList> = {
  name: "endpoints.list",
  method: "GET",
  path: "/v1/account/endpoints",
  parameters: "",
  result: endpointList,
};

/** POST /v1/account/endpoints */
export const endpointsCreate: Operation<MadeEndpoint, Wire.MadeEndpoint> = {
  name: "endpoints.create",
  method: "POST",
  path: "/v1/account/endpoints",
  parameters: "url",
  result: madeEndpoint,
};

/** DELETE /v1/account/endpoints/{endpoint_id} */
export const endpointsDelete: Operation<void, void> = {
  name: "endpoints.delete",
  method: "DELETE",
  path: "/v1/account/endpoints/{endpoint_id}",
  parameters: "endpoint_id",
  result: null,
};

/** POST /v1/account/endpoints/{endpoint_id}/test */
export const endpointsTest: Operation<TestSent, Wire.TestSent> = {
  name: "endpoints.test",
  method: "POST",
  path: "/v1/account/endpoints/{endpoint_id}/test",
  parameters: "endpoint_id",
  result: testSent,
};

/** POST /v1/account/endpoints/{endpoint_id}/rotate */
export const endpointsRotate: Operation<RotatedSecret, Wire.RotatedSecret> = {
  name: "endpoints.rotate",
  method: "POST",
  path: "/v1/account/endpoints/{endpoint_id}/rotate",
  parameters: "endpoint_id",
  result: rotatedSecret,
};

/** GET /v1/account/deliveries */
export const deliveriesList: Operation<DeliveriesPage, Wire.DeliveriesPage> = {
  name: "deliveries.list",
  method: "GET",
  path: "/v1/account/deliveries",
  parameters: "alert_id endpoint_id status limit cursor",
  result: deliveriesPage,
  paging: { items: "deliveries" },
};

/** POST /v1/account/deliveries/{delivery_id}/redeliver */
export const deliveriesRedeliver: Operation<Delivery, Wire.Delivery> = {
  name: "deliveries.redeliver",
  method: "POST",
  path: "/v1/account/deliveries/{delivery_id}/redeliver",
  parameters: "delivery_id",
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
