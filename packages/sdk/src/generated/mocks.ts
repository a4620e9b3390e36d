/**
 * The routes for mock handlers: their types, an example of each response, and every error.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Mock, MockError, MockRoute, NoParams } from "../msw/mock-route.ts";
import type * as Wire from "./wire.ts";

/** Error codes by method: those of the route itself, then those that follow from keys, limits and parameters. */
interface CodesOf {
  readonly "system.health": "validation_error";
  readonly "system.status": "rate_limit_exceeded" | "validation_error";
  readonly "tiers.list": "rate_limit_exceeded" | "validation_error";
  readonly "catalog.get": "rate_limit_exceeded" | "validation_error";
  readonly "publicHistory.xau": "service_unavailable" | "validation_error";
  readonly "prices.list":
    | "invalid_symbol"
    | "plan_gated"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "prices.divergence":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "prices.history":
    | "bad_request"
    | "plan_gated"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "spot.get":
    | "invalid_symbol"
    | "plan_gated"
    | "not_found"
    | "spot_unavailable"
    | "range_too_deep"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "bars.list":
    | "range_too_deep"
    | "unknown_past"
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "bars.latest":
    | "unknown_past"
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "downloads.link":
    | "not_found"
    | "plan_gated"
    | "validation_error"
    | "storage_unavailable"
    | "storage_error"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "authentication_required"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "ratios.list":
    | "unknown_pair"
    | "unknown_past"
    | "bad_request"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "plan_gated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "ratios.latest":
    | "unknown_pair"
    | "unknown_past"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "plan_gated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "series.list":
    | "range_too_deep"
    | "unknown_past"
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "settlements.list":
    | "bad_request"
    | "unknown_past"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "plan_gated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "corrections.list":
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "corrections.head":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "sources.list": "validation_error" | "service_unavailable" | "rate_limit_exceeded";
  readonly "quality.list":
    | "range_too_deep"
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "forwardView.get":
    | "bad_request"
    | "plan_gated"
    | "spot_unavailable"
    | "no_horizons_available"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "convert.get":
    | "unsupported_currency"
    | "unsupported_unit"
    | "bad_request"
    | "spot_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "carat.get":
    | "unsupported_currency"
    | "spot_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "quotes.create":
    | "plan_gated"
    | "validation_error"
    | "spot_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "receipts.verify": "rate_limit_exceeded" | "validation_error" | "payload_too_large" | "unsupported_media_type";
  readonly "physical.list":
    | "plan_gated"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "physical.get":
    | "plan_gated"
    | "not_found"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "surface.get":
    | "plan_gated"
    | "unknown_metal"
    | "unknown_horizon"
    | "not_found"
    | "invalid_horizon"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "surface.expiries":
    | "plan_gated"
    | "unknown_metal"
    | "not_found"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "signals.arbitrage":
    | "plan_gated"
    | "unknown_metal"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "account.listKeys":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "account.mintKey":
    | "key_limit_reached"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "account.revokeKey":
    | "key_not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "account.usage":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "alerts.list":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "alerts.create":
    | "invalid_symbol"
    | "plan_gated"
    | "not_found"
    | "endpoint_not_found"
    | "alert_limit_reached"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "alerts.get":
    | "alert_not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "alerts.update":
    | "alert_not_found"
    | "endpoint_not_found"
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "alerts.delete":
    | "alert_not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "endpoints.list":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "endpoints.create":
    | "endpoint_limit_reached"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "endpoints.delete":
    | "endpoint_not_found"
    | "endpoint_in_use"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "endpoints.test":
    | "endpoint_not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "endpoints.rotate":
    | "endpoint_not_found"
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "payload_too_large"
    | "unsupported_media_type";
  readonly "deliveries.list":
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited";
  readonly "deliveries.redeliver":
    | "delivery_not_found"
    | "endpoint_not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "key_in_grace"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error"
    | "payload_too_large"
    | "unsupported_media_type";
}

/** Mocks by route; a route without one returns an example. */
export interface Mocks {
  readonly system?: {
    /** `GET /v1/health` */
    readonly health?: Mock<NoParams, Wire.Health, CodesOf["system.health"]>;
    /** `GET /v1/status` */
    readonly status?: Mock<NoParams, Wire.Status, CodesOf["system.status"]>;
  };
  readonly tiers?: {
    /** `GET /v1/metadata/tiers` */
    readonly list?: Mock<NoParams, readonly Wire.Tier[], CodesOf["tiers.list"]>;
  };
  readonly catalog?: {
    /** `GET /v1/metadata/catalog` */
    readonly get?: Mock<NoParams, Wire.Catalog, CodesOf["catalog.get"]>;
  };
  readonly publicHistory?: {
    /** `GET /v1/public/xau-history` */
    readonly xau?: Mock<NoParams, Wire.PublicHistory, CodesOf["publicHistory.xau"]>;
  };
  readonly prices?: {
    /** `GET /v1/prices` */
    readonly list?: Mock<Wire.PricesListQuery, Wire.Prices, CodesOf["prices.list"]>;
    /** `GET /v1/prices/divergence` */
    readonly divergence?: Mock<Wire.PricesDivergenceQuery, Wire.Divergence, CodesOf["prices.divergence"]>;
    /** `GET /v1/prices/history` */
    readonly history?: Mock<Wire.PricesHistoryQuery, Wire.History, CodesOf["prices.history"]>;
  };
  readonly spot?: {
    /** `GET /v1/spot/{symbol}` */
    readonly get?: Mock<Wire.SpotGetQuery, Wire.SpotAnswer, CodesOf["spot.get"]>;
  };
  readonly bars?: {
    /** `GET /v1/bars` */
    readonly list?: Mock<Wire.BarsListQuery, Wire.BarsPage, CodesOf["bars.list"]>;
    /** `GET /v1/bars/latest` */
    readonly latest?: Mock<Wire.BarsLatestQuery, Wire.LatestBar, CodesOf["bars.latest"]>;
  };
  readonly downloads?: {
    /** `GET /v1/download` */
    readonly link?: Mock<Wire.DownloadsLinkQuery, Wire.DownloadLink, CodesOf["downloads.link"]>;
  };
  readonly ratios?: {
    /** `GET /v1/ratios` */
    readonly list?: Mock<Wire.RatiosListQuery, Wire.RatiosPage, CodesOf["ratios.list"]>;
    /** `GET /v1/ratios/latest` */
    readonly latest?: Mock<Wire.RatiosLatestQuery, Wire.LatestRatio, CodesOf["ratios.latest"]>;
  };
  readonly series?: {
    /** `GET /v1/series` */
    readonly list?: Mock<Wire.SeriesListQuery, Wire.SeriesPage, CodesOf["series.list"]>;
  };
  readonly settlements?: {
    /** `GET /v1/settlements` */
    readonly list?: Mock<Wire.SettlementsListQuery, Wire.Settlements, CodesOf["settlements.list"]>;
  };
  readonly corrections?: {
    /** `GET /v1/corrections` */
    readonly list?: Mock<Wire.CorrectionsListQuery, Wire.CorrectionsPage, CodesOf["corrections.list"]>;
    /** `GET /v1/corrections/head` */
    readonly head?: Mock<NoParams, Wire.ChainHead, CodesOf["corrections.head"]>;
  };
  readonly sources?: {
    /** `GET /v1/sources` */
    readonly list?: Mock<Wire.SourcesListQuery, Wire.SourceRecords, CodesOf["sources.list"]>;
  };
  readonly quality?: {
    /** `GET /v1/quality` */
    readonly list?: Mock<Wire.QualityListQuery, Wire.QualityDays, CodesOf["quality.list"]>;
  };
  readonly forwardView?: {
    /** `GET /v1/forward-view/{asset}` */
    readonly get?: Mock<Wire.ForwardViewGetQuery, Wire.ForwardView, CodesOf["forwardView.get"]>;
  };
  readonly convert?: {
    /** `GET /v1/convert` */
    readonly get?: Mock<Wire.ConvertGetQuery, Wire.Conversion, CodesOf["convert.get"]>;
  };
  readonly carat?: {
    /** `GET /v1/carat` */
    readonly get?: Mock<Wire.CaratGetQuery, Wire.KaratPrices, CodesOf["carat.get"]>;
  };
  readonly quotes?: {
    /** `POST /v1/quotes` */
    readonly create?: Mock<Wire.QuotesCreateQuery, Wire.Bill, CodesOf["quotes.create"]>;
  };
  readonly receipts?: {
    /** `POST /v1/quotes/verify` */
    readonly verify?: Mock<Wire.ReceiptsVerifyQuery, Wire.ReceiptCheck, CodesOf["receipts.verify"]>;
  };
  readonly physical?: {
    /** `GET /v1/physical` */
    readonly list?: Mock<NoParams, Wire.PhysicalIndex, CodesOf["physical.list"]>;
    /** `GET /v1/physical/{country}` */
    readonly get?: Mock<Wire.PhysicalGetQuery, Wire.PhysicalQuotes, CodesOf["physical.get"]>;
  };
  readonly surface?: {
    /** `GET /v1/surface/{metal}` */
    readonly get?: Mock<Wire.SurfaceGetQuery, Wire.Surface, CodesOf["surface.get"]>;
    /** `GET /v1/surface/{metal}/expiries` */
    readonly expiries?: Mock<Wire.SurfaceExpiriesQuery, Wire.HorizonIndex, CodesOf["surface.expiries"]>;
  };
  readonly signals?: {
    /** `GET /v1/signals/arbitrage` */
    readonly arbitrage?: Mock<Wire.SignalsArbitrageQuery, Wire.ArbitrageSignals, CodesOf["signals.arbitrage"]>;
  };
  readonly account?: {
    /** `GET /v1/account/keys` */
    readonly listKeys?: Mock<NoParams, readonly Wire.Key[], CodesOf["account.listKeys"]>;
    /** `POST /v1/account/keys` */
    readonly mintKey?: Mock<Wire.AccountMintKeyQuery, Wire.MintedKey, CodesOf["account.mintKey"]>;
    /** `DELETE /v1/account/keys/{key_id}` */
    readonly revokeKey?: Mock<Wire.AccountRevokeKeyQuery, void, CodesOf["account.revokeKey"]>;
    /** `GET /v1/account/usage` */
    readonly usage?: Mock<NoParams, Wire.Usage, CodesOf["account.usage"]>;
  };
  readonly alerts?: {
    /** `GET /v1/account/alerts` */
    readonly list?: Mock<NoParams, Wire.AlertList, CodesOf["alerts.list"]>;
    /** `POST /v1/account/alerts` */
    readonly create?: Mock<Wire.AlertsCreateQuery, Wire.ChangedAlert, CodesOf["alerts.create"]>;
    /** `GET /v1/account/alerts/{alert_id}` */
    readonly get?: Mock<Wire.AlertsGetQuery, Wire.Alert, CodesOf["alerts.get"]>;
    /** `PATCH /v1/account/alerts/{alert_id}` */
    readonly update?: Mock<Wire.AlertsUpdateQuery, Wire.ChangedAlert, CodesOf["alerts.update"]>;
    /** `DELETE /v1/account/alerts/{alert_id}` */
    readonly delete?: Mock<Wire.AlertsDeleteQuery, void, CodesOf["alerts.delete"]>;
  };
  readonly endpoints?: {
    /** `GET /v1/account/endpoints` */
    readonly list?: Mock<NoParams, Wire.EndpointList, CodesOf["endpoints.list"]>;
    /** `POST /v1/account/endpoints` */
    readonly create?: Mock<Wire.EndpointsCreateQuery, Wire.MadeEndpoint, CodesOf["endpoints.create"]>;
    /** `DELETE /v1/account/endpoints/{endpoint_id}` */
    readonly delete?: Mock<Wire.EndpointsDeleteQuery, void, CodesOf["endpoints.delete"]>;
    /** `POST /v1/account/endpoints/{endpoint_id}/test` */
    readonly test?: Mock<Wire.EndpointsTestQuery, Wire.TestSent, CodesOf["endpoints.test"]>;
    /** `POST /v1/account/endpoints/{endpoint_id}/rotate` */
    readonly rotate?: Mock<Wire.EndpointsRotateQuery, Wire.RotatedSecret, CodesOf["endpoints.rotate"]>;
  };
  readonly deliveries?: {
    /** `GET /v1/account/deliveries` */
    readonly list?: Mock<Wire.DeliveriesListQuery, Wire.DeliveriesPage, CodesOf["deliveries.list"]>;
    /** `POST /v1/account/deliveries/{delivery_id}/redeliver` */
    readonly redeliver?: Mock<Wire.DeliveriesRedeliverQuery, Wire.Delivery, CodesOf["deliveries.redeliver"]>;
  };
}

/** Every route. */
export const mockRoutes: readonly MockRoute[] = [
  {
    resource: "system",
    action: "health",
    method: "GET",
    path: "/v1/health",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: { status: "ok", service: "assay", version: "0.1.0" },
  },
  {
    resource: "system",
    action: "status",
    method: "GET",
    path: "/v1/status",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: {
      status: "ok",
      checked_at: "2026-11-20T14:03:27Z",
      version: "0.1.0",
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
      scrapers: {
        swissquote: {
          status: "ok",
          required: true,
          expected_interval_seconds: 5,
          last_success_at: "2026-11-20T14:03:25Z",
          age_seconds: 2.4,
          consecutive_failures: 0,
          rejected_observations: 0,
          last_error: null,
        },
      },
      value_staleness: {
        "XAU-USD-SPOT": { is_stale: false, age_seconds: 0.4, reason: null },
      },
      market: { state: "open", next_change_at: "2026-11-20T22:00:00Z" },
      history: { complete: true, pending: 0 },
      archives: { pending: 0, built: 14, last_built_at: "2026-11-20T00:10:31Z", last_error: null },
      keyless: {
        tier: "free",
        description:
          "Without a key: the tier Free, prices 15 minutes late; 10 requests a minute and 100 an hour for each address.",
      },
      simulated: false,
      reasons: [],
    },
  },
  {
    resource: "tiers",
    action: "list",
    method: "GET",
    path: "/v1/metadata/tiers",
    status: 200,
    cacheControl: "public, max-age=3600",
    parameters: {},
    example: [
      {
        name: "free",
        monthly_price_usd: "0.00",
        yearly_price_usd: "0.00",
        rate_limit_per_minute: 30,
        monthly_quota: 5000,
        allowed_bases: ["XAU"],
        allowed_contracts: ["spot"],
        includes_mcp: false,
        commercial_use: false,
        support_sla_hours: null,
        max_concurrent_streams: 0,
        max_alerts: 3,
        hidden: false,
      },
      {
        name: "basic",
        monthly_price_usd: "9.00",
        yearly_price_usd: "90.00",
        rate_limit_per_minute: 60,
        monthly_quota: 20000,
        allowed_bases: ["XAU"],
        allowed_contracts: ["spot"],
        includes_mcp: false,
        commercial_use: true,
        support_sla_hours: null,
        max_concurrent_streams: 0,
        max_alerts: 10,
        hidden: true,
      },
      {
        name: "physical",
        monthly_price_usd: "19.00",
        yearly_price_usd: "190.00",
        rate_limit_per_minute: 60,
        monthly_quota: 50000,
        allowed_bases: ["XAU"],
        allowed_contracts: ["spot"],
        includes_mcp: true,
        commercial_use: true,
        support_sla_hours: 72,
        max_concurrent_streams: 0,
        max_alerts: 20,
        hidden: false,
      },
      {
        name: "pro",
        monthly_price_usd: "49.00",
        yearly_price_usd: "490.00",
        rate_limit_per_minute: 300,
        monthly_quota: 500000,
        allowed_bases: ["XAU", "XAG", "HG"],
        allowed_contracts: ["spot", "futures"],
        includes_mcp: true,
        commercial_use: true,
        support_sla_hours: 48,
        max_concurrent_streams: 3,
        max_alerts: 100,
        hidden: false,
      },
      {
        name: "realtime_pro",
        monthly_price_usd: "99.00",
        yearly_price_usd: "990.00",
        rate_limit_per_minute: 600,
        monthly_quota: 2000000,
        allowed_bases: ["XAU", "XAG", "HG"],
        allowed_contracts: ["spot", "futures"],
        includes_mcp: true,
        commercial_use: true,
        support_sla_hours: 24,
        max_concurrent_streams: 10,
        max_alerts: 1000,
        hidden: false,
      },
    ],
  },
  {
    resource: "catalog",
    action: "get",
    method: "GET",
    path: "/v1/metadata/catalog",
    status: 200,
    cacheControl: "public, max-age=3600",
    parameters: {},
    example: {
      metals: [
        {
          unit: "troy_ounce",
          quoted_in: "all",
          code: "XAU",
          name: "gold",
          coverage: "spot",
          default_contract: "spot",
          tier: "free",
          convertible: true,
          karats: true,
          streams: ["sse", "websocket"],
          agreement_bps: 500,
          max_spread_percent: 2,
          bounds: { low: "200", high: "50000" },
          aliases: [],
          finenesses: [],
          has_surface: true,
          futures: {
            product: "GC",
            main_months: [2, 4, 6, 8, 10, 12],
          },
        },
      ],
      funds: [
        {
          code: "GLD",
          name: "SPDR Gold Shares",
          metal: "XAU",
          agreement_bps: 500,
          max_spread_percent: 2,
          bounds: { low: "20", high: "5000" },
        },
      ],
      currencies: [
        { code: "AUD", name: "Australian dollar", minor_units: 2, quoted: true, peg: null, reference: "ecb" },
        {
          code: "BGN",
          name: "Bulgarian lev",
          minor_units: 2,
          quoted: true,
          peg: { to: "EUR", units: "1.95583", fixed: true },
          reference: null,
        },
      ],
      units: [
        {
          code: "oz",
          name: "troy ounce",
          grams: "31.1034768",
          accepted: ["convert", "dealers"],
        },
        {
          code: "gram",
          name: "gram",
          grams: "1",
          accepted: ["convert", "dealers"],
        },
      ],
      ratios: [{ pair: "gold-silver", numerator: "XAU-USD-SPOT", denominator: "XAG-USD-SPOT" }],
      symbols: ["XAU-AUD-SPOT", "XAU-BGN-SPOT"],
      bar_symbols: ["XAU-USD-SPOT", "XAG-USD-SPOT"],
    },
  },
  {
    resource: "publicHistory",
    action: "xau",
    method: "GET",
    path: "/v1/public/xau-history",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: {
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
  {
    resource: "prices",
    action: "list",
    method: "GET",
    path: "/v1/prices",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      include: { in: "query", kind: "text" },
    },
    example: {
      symbols: [
        {
          symbol: "XAU",
          quote_currency: "USD",
          unit: "troy_ounce",
          contract_type: "spot",
          is_stale: false,
          price: "4003.20",
          bid: "4003.05",
          ask: "4003.35",
          computed_at: "2026-11-20T14:03:27Z",
        },
      ],
    },
  },
  {
    resource: "prices",
    action: "divergence",
    method: "GET",
    path: "/v1/prices/divergence",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      threshold: { in: "query", kind: "number", whenAbsent: 50 },
    },
    example: { threshold_bps: 50, computed_at: "2026-11-20T14:03:27Z", diverged_count: 1 },
  },
  {
    resource: "prices",
    action: "history",
    method: "GET",
    path: "/v1/prices/history",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      interval: { in: "query", kind: "text", whenAbsent: "1d" },
      limit: { in: "query", kind: "number", whenAbsent: 100 },
    },
    example: {
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
  {
    resource: "spot",
    action: "get",
    method: "GET",
    path: "/v1/spot/{symbol}",
    status: 200,
    cacheControl: "no-store",
    hasReceipt: true,
    parameters: {
      symbol: { in: "path", kind: "text" },
      include: { in: "query", kind: "text" },
      at: { in: "query", kind: "text" },
    },
    example: {
      symbol: "XAU",
      quote_currency: "USD",
      unit: "troy_ounce",
      contract_type: "spot",
      is_stale: false,
      price: "4003.20",
      bid: "4003.05",
      ask: "4003.35",
      computed_at: "2026-11-20T14:03:27Z",
    },
  },
  {
    resource: "bars",
    action: "list",
    method: "GET",
    path: "/v1/bars",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      interval: { in: "query", kind: "text", whenAbsent: "1d" },
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      limit: { in: "query", kind: "number", whenAbsent: 100 },
      cursor: { in: "query", kind: "text" },
      order: { in: "query", kind: "text", whenAbsent: "desc" },
      known_at: { in: "query", kind: "text" },
    },
    example: {
      symbol: "GLD",
      interval: "1d",
      bars: [
        {
          bar_start: "2026-11-19T00:00:00Z",
          open: "367.85",
          high: "369.60",
          low: "367.20",
          close: "369.10",
          volume: "8123400",
          is_closed: true,
        },
      ],
      next_cursor: null,
      meta: { tier: "pro", count: 1, source_id: "import" },
    },
  },
  {
    resource: "bars",
    action: "latest",
    method: "GET",
    path: "/v1/bars/latest",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      interval: { in: "query", kind: "text", whenAbsent: "1d" },
      known_at: { in: "query", kind: "text" },
    },
    example: {
      symbol: "XAU-USD-SPOT",
      interval: "1d",
      bar: {
        bar_start: "2026-11-20T00:00:00Z",
        open: "3994.70",
        high: "4011.25",
        low: "3990.05",
        close: "4003.20",
        volume: null,
        is_closed: false,
      },
      meta: { tier: "free", count: 1, source_id: "swissquote" },
    },
  },
  {
    resource: "downloads",
    action: "link",
    method: "GET",
    path: "/v1/download",
    status: 307,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      year: { in: "query", kind: "number" },
      interval: { in: "query", kind: "text", whenAbsent: "1d" },
      fmt: { in: "query", kind: "text", whenAbsent: "parquet" },
    },
    example: {
      location:
        "https://prices.example.com/archives/XAU-USD-SPOT/1d/2025.parquet?expires=1795187007&signature=4fGh2b0Jr5mVnq3Zy8sK1tXw6LcDpA9eUoHiBgRvTlM",
    },
  },
  {
    resource: "ratios",
    action: "list",
    method: "GET",
    path: "/v1/ratios",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      pair: { in: "query", kind: "text" },
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      limit: { in: "query", kind: "number", whenAbsent: 100 },
      cursor: { in: "query", kind: "text" },
      order: { in: "query", kind: "text", whenAbsent: "desc" },
      known_at: { in: "query", kind: "text" },
    },
    example: {
      pair: "gld-xau",
      numerator: "GLD",
      denominator: "XAU-USD-SPOT",
      interval: "1d",
      points: [],
      next_cursor: null,
      meta: { tier: "pro", count: 0 },
    },
  },
  {
    resource: "ratios",
    action: "latest",
    method: "GET",
    path: "/v1/ratios/latest",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      pair: { in: "query", kind: "text" },
      known_at: { in: "query", kind: "text" },
    },
    example: {
      pair: "gold-silver",
      numerator: "XAU-USD-SPOT",
      denominator: "XAG-USD-SPOT",
      interval: "1d",
      point: { date: "2026-11-19", ratio: "82.7893", numerator_close: "3994.65", denominator_close: "48.2508" },
      meta: { tier: "pro", count: 1 },
    },
  },
  {
    resource: "series",
    action: "list",
    method: "GET",
    path: "/v1/series",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      unit: { in: "query", kind: "text", whenAbsent: "troy_ounce" },
      karat: { in: "query", kind: "number" },
      fineness: { in: "query", kind: "number" },
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      limit: { in: "query", kind: "number", whenAbsent: 100 },
      cursor: { in: "query", kind: "text" },
      order: { in: "query", kind: "text", whenAbsent: "desc" },
      known_at: { in: "query", kind: "text" },
    },
    example: {
      symbol: "XAU-EUR-SPOT",
      quote_currency: "EUR",
      unit: "gram",
      fineness: "916.667",
      interval: "1d",
      points: [
        { date: "2026-11-19", price: "101.75", usd_close: "3994.65", fx_rate: "0.864304235090751945", fx_date: "2026-11-19" },
      ],
      next_cursor: null,
      meta: { tier: "pro", count: 1 },
    },
  },
  {
    resource: "settlements",
    action: "list",
    method: "GET",
    path: "/v1/settlements",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      limit: { in: "query", kind: "number", whenAbsent: 30 },
      known_at: { in: "query", kind: "text" },
    },
    example: {
      settlements: [
        {
          symbol: "GC",
          settlement_date: "2026-11-19",
          settlement_price: "4012.50",
          prior_settlement: "4001.20",
          change_value: "11.30",
          volume: 151459,
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
  {
    resource: "corrections",
    action: "list",
    method: "GET",
    path: "/v1/corrections",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      since: { in: "query", kind: "text", whenAbsent: "0" },
      limit: { in: "query", kind: "number", whenAbsent: 100 },
    },
    example: {
      epoch: 1,
      corrections: [
        {
          number: 12,
          epoch: 1,
          revision: 90412,
          recorded_at: "2026-11-20T09:12:44.518Z",
          symbol: "XAU-USD-SPOT",
          interval: "1d",
          bar_start: "2026-11-19T00:00:00Z",
          settlement_date: null,
          futures_contract: null,
          reason: "import",
          source: "import:lbma",
          note: "LBMA's file of November, corrected",
          before: { open: "3981.15", high: "3999.80", low: "3975.40", close: "3994.65", volume: null },
          after: { open: "3981.15", high: "3999.80", low: "3975.40", close: "3994.70", volume: null },
          previous: "3b7f0c5a9d1e4f26a8b3c70d5e9f1a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e1f",
          digest: "5fc2f4f4a7d2a3f3f6d8a5e3f1d0c2b4a6978879605142332415060708090a0b",
        },
      ],
      next_since: 12,
      meta: { tier: "free", count: 1 },
    },
  },
  {
    resource: "corrections",
    action: "head",
    method: "GET",
    path: "/v1/corrections/head",
    status: 200,
    cacheControl: "no-store",
    hasReceipt: true,
    parameters: {},
    example: {
      epoch: 1,
      number: 12,
      digest: "5fc2f4f4a7d2a3f3f6d8a5e3f1d0c2b4a6978879605142332415060708090a0b",
      recorded_at: "2026-11-20T09:12:44.518Z",
    },
  },
  {
    resource: "sources",
    action: "list",
    method: "GET",
    path: "/v1/sources",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      window: { in: "query", kind: "text", whenAbsent: "24h" },
      symbol: { in: "query", kind: "text" },
      source: { in: "query", kind: "text" },
    },
    example: {
      window: "24h",
      from: "2026-11-19T13:45:00Z",
      to: "2026-11-20T13:45:00Z",
      sources: [
        {
          source: "swissquote",
          display_name: "Swissquote",
          origin: "swissquote",
          license: "undocumented",
          instrument: "XAU-USD-SPOT",
          cadence_seconds: 10,
          expected: 8280,
          received: 8190,
          accepted: 8184,
          refused: { jump: 4, frozen: 2 },
          availability: 0.9987,
          deviation_bps: { median: 1.2, p99: 6.4 },
          last_accepted_at: "2026-11-20T13:44:58Z",
          incidents: [{ from: "2026-11-20T09:12:40Z", to: "2026-11-20T09:15:02Z", kind: "silent" }],
          role: "primary",
          fresh_for_seconds: 60,
        },
      ],
    },
  },
  {
    resource: "quality",
    action: "list",
    method: "GET",
    path: "/v1/quality",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "query", kind: "text" },
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
    },
    example: {
      symbol: "XAU-USD-SPOT",
      days: [
        {
          date: "2026-11-19",
          condition: "available",
          origins: 2,
          bars: { interval: "1m", expected: 1380, present: 1380 },
          last_revision: 90412,
        },
        {
          date: "2026-11-18",
          condition: "degraded",
          origins: 2,
          bars: { interval: "1m", expected: 1380, present: 1325 },
          last_revision: 90412,
        },
      ],
      meta: { tier: "pro", count: 2 },
    },
  },
  {
    resource: "forwardView",
    action: "get",
    method: "GET",
    path: "/v1/forward-view/{asset}",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      asset: { in: "path", kind: "text" },
    },
    example: {
      asset: "XAU",
      spot_usd: "4003.20",
      computed_at: "2026-11-20T14:03:27Z",
      horizons: [
        {
          expiry: "2026-12-29",
          futures: {
            contract: "GCZ26",
            settle_usd: "4012.50",
            settle_source: "yahoo-chart",
            settle_age_seconds: 57807,
            open_interest: null,
            volume: 151459,
          },
          errors: [],
        },
        {
          expiry: "2027-02-24",
          futures: null,
          errors: ["no settlement is known"],
        },
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
  {
    resource: "convert",
    action: "get",
    method: "GET",
    path: "/v1/convert",
    status: 200,
    cacheControl: "no-store",
    hasReceipt: true,
    parameters: {
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      amount: { in: "query", kind: "text", whenAbsent: "1" },
      unit: { in: "query", kind: "text", whenAbsent: "oz" },
      include: { in: "query", kind: "text" },
    },
    example: {
      from: "XAU",
      to: "EUR",
      amount: "10",
      rate: "111.240482285890303",
      result: "1112.40",
      unit: "gram",
      timestamp: "2026-11-20T14:03:27Z",
    },
  },
  {
    resource: "carat",
    action: "get",
    method: "GET",
    path: "/v1/carat",
    status: 200,
    cacheControl: "no-store",
    hasReceipt: true,
    parameters: {
      currency: { in: "query", kind: "text", whenAbsent: "USD" },
      include: { in: "query", kind: "text" },
    },
    example: {
      currency: "EUR",
      timestamp: "2026-11-20T14:03:27Z",
      price_gram_24k: "111.2405",
      price_gram_22k: "101.9704",
      price_gram_21k: "97.3354",
      price_gram_20k: "92.7004",
      price_gram_18k: "83.4304",
      price_gram_16k: "74.1603",
      price_gram_14k: "64.8903",
      price_gram_10k: "46.3502",
    },
  },
  {
    resource: "quotes",
    action: "create",
    method: "POST",
    path: "/v1/quotes",
    status: 200,
    cacheControl: "no-store",
    hasReceipt: true,
    parameters: {
      currency: { in: "body", kind: "text" },
      basis: { in: "body", kind: "text" },
      hold_minutes: { in: "body", kind: "number" },
      items: { in: "body", kind: "text" },
    },
    example: {
      currency: "EUR",
      computed_at: "2026-11-20T14:03:27Z",
      prices: [
        {
          metal: "XAU",
          side: "sell",
          basis: "ask",
          price_usd: "4003.35",
          unit_grams: "31.1034768",
          price_per_fine_gram: "111.24519557088749",
          fx_rate: "0.864304235090751945",
          fx_source: "coinbase-fx",
          fx_role: "live",
          fx_at: "2026-11-20T13:59:12Z",
          computed_at: "2026-11-20T14:03:27Z",
          is_stale: false,
        },
      ],
      items: [
        {
          id: "ring-7",
          metal: "XAU",
          side: "sell",
          is_stale: false,
          fine_weight_grams: "3.187500",
          metal_value: "354.59",
          margin: "10.64",
          making: "53.13",
          tax: "11.16",
          total: "429.50",
          rounding: "-0.02",
          weight_grams: "4.25",
          asked: {
            weight: "4.25",
            unit: "gram",
            karat: 18,
            margin_percent: "3",
            making: { per_gram: "12.50" },
            tax_percent: "21",
            tax_on: "making",
            round_to: "0.05",
          },
        },
      ],
      totals: {
        metal_value: "354.59",
        making: "53.13",
        tax: "11.16",
        total: "429.50",
        sell: { metal_value: "354.59", margin: "10.64", charges: "53.13", tax: "11.16", rounding: "-0.02", total: "429.50" },
        buy: { metal_value: "0.00", margin: "0.00", charges: "0.00", tax: "0.00", total: "0.00" },
        due: "429.50",
      },
    },
  },
  {
    resource: "receipts",
    action: "verify",
    method: "POST",
    path: "/v1/quotes/verify",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      receipt: { in: "body", kind: "text" },
    },
    example: {
      is_ours: true,
      is_unaltered: true,
      is_held: true,
      checked_at: "2026-11-20T14:03:27Z",
      valid_until: "2026-11-20T14:13:27Z",
      issued_at: "2026-11-20T14:03:27Z",
      request_id: "sXUFyqiyk-bQRHUhYo4T",
      route: "POST /v1/quotes",
      simulated: false,
    },
  },
  {
    resource: "physical",
    action: "list",
    method: "GET",
    path: "/v1/physical",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: {
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
      computed_at: "2026-11-20T14:03:27Z",
      meta: { tier: "physical", count: 2 },
    },
  },
  {
    resource: "physical",
    action: "get",
    method: "GET",
    path: "/v1/physical/{country}",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      country: { in: "path", kind: "text" },
    },
    example: {
      country: "HK",
      name: "Hong Kong",
      currency: "HKD",
      spot_reference: {
        symbol: "XAU-USD-SPOT",
        price_usd: "4003.20",
        fx_rate: "7.7807",
        fx_source: "coinbase-fx",
        price_local_per_gram: "1001.4218",
        computed_at: "2026-11-20T14:03:27Z",
        is_stale: false,
      },
      quotes: [
        {
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
        },
      ],
      errors: [],
      meta: { tier: "physical", count: 1 },
    },
  },
  {
    resource: "surface",
    action: "get",
    method: "GET",
    path: "/v1/surface/{metal}",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      metal: { in: "path", kind: "text" },
      horizon: { in: "query", kind: "text" },
    },
    example: {
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
        {
          strike: "4550.00",
          prob_above: 0.006204,
          raw_prob_above: null,
          sources: [],
          extrapolated: true,
        },
      ],
      venues: [
        { venue: "bybit-options", type: "options", markets_used: 41, volume_usd: "184000", retrieved_at: "2026-11-20T14:03:27Z" },
        { venue: "kalshi", type: "prediction_market", markets_used: 11, volume_usd: null, retrieved_at: "2026-11-20T14:03:27Z" },
      ],
      confidence: "high",
      thin_liquidity: false,
      method: "blend",
      flags: ["proxy_underlying"],
      computed_at: "2026-11-20T14:03:27Z",
      snapshot_age_seconds: 42,
      disclaimer:
        "Risk-neutral probabilities implied by market prices: neither a forecast nor advice. See the methodology for how they are made.",
    },
  },
  {
    resource: "surface",
    action: "expiries",
    method: "GET",
    path: "/v1/surface/{metal}/expiries",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      metal: { in: "path", kind: "text" },
    },
    example: {
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
          snapshot_age_seconds: 10800,
        },
      ],
      meta: { tier: "pro", count: 2 },
    },
  },
  {
    resource: "signals",
    action: "arbitrage",
    method: "GET",
    path: "/v1/signals/arbitrage",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      metal: { in: "query", kind: "text" },
    },
    example: {
      metal: "xau",
      signals: [],
    },
  },
  {
    resource: "account",
    action: "listKeys",
    method: "GET",
    path: "/v1/account/keys",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: [
      {
        id: "9d2b7c44-1f0e-4a53-8c1d-6b7f0a3e5d20",
        key_prefix: "assay_live_7bKq9",
        name: "ci",
        created_at: "2026-11-20T14:03:27Z",
        last_used_at: null,
        revoked_at: null,
      },
      {
        id: "3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11",
        key_prefix: "assay_live_4fGh2",
        name: "first",
        created_at: "2026-03-02T09:14:00Z",
        last_used_at: "2026-11-20T14:03:27Z",
        revoked_at: "2026-11-21T14:03:27Z",
      },
    ],
  },
  {
    resource: "account",
    action: "mintKey",
    method: "POST",
    path: "/v1/account/keys",
    status: 201,
    cacheControl: "no-store",
    parameters: {
      name: { in: "body", kind: "text" },
    },
    example: {
      id: "9d2b7c44-1f0e-4a53-8c1d-6b7f0a3e5d20",
      plaintext: "assay_live_7bKq9EXAMPLEdoNotUseThisKeyAnywhere42",
      key_prefix: "assay_live_7bKq9",
      created_at: "2026-11-20T14:03:27Z",
      previous_key_revokes_at: "2026-11-21T14:03:27Z",
    },
  },
  {
    resource: "account",
    action: "revokeKey",
    method: "DELETE",
    path: "/v1/account/keys/{key_id}",
    status: 204,
    cacheControl: "no-store",
    parameters: {
      key_id: { in: "path", kind: "text" },
    },
    example: undefined,
  },
  {
    resource: "account",
    action: "usage",
    method: "GET",
    path: "/v1/account/usage",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: {
      calls_today: 1280,
      calls_this_month: 214880,
      active_streams: 0,
      max_streams: 3,
      tier: "pro",
      monthly_quota: 500000,
      remaining_this_month: 285120,
      resets_at: "2026-12-01T00:00:00Z",
      days: [
        { date: "2026-11-01", calls: 98412 },
        { date: "2026-11-02", calls: 115188 },
        { date: "2026-11-03", calls: 1280 },
      ],
    },
  },
  {
    resource: "alerts",
    action: "list",
    method: "GET",
    path: "/v1/account/alerts",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: {
      alerts: [
        {
          id: "al_5Jq1vZ0mT8yXc4Rb",
          name: "gold above 4000",
          symbol: "XAU-USD-SPOT",
          kind: "above",
          threshold: "4000",
          window_seconds: null,
          direction: null,
          once: true,
          endpoint_id: "ep_9Kd2uP7nW3eHf6Ls",
          state: "armed",
          paused_reason: null,
          last_fired_at: null,
          created_at: "2026-11-20T14:03:27Z",
          updated_at: "2026-11-20T14:03:27Z",
        },
      ],
      max_alerts: 100,
    },
  },
  {
    resource: "alerts",
    action: "create",
    method: "POST",
    path: "/v1/account/alerts",
    status: 201,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "body", kind: "text" },
      kind: { in: "body", kind: "text" },
      threshold: { in: "body", kind: "text" },
      window_seconds: { in: "body", kind: "number" },
      direction: { in: "body", kind: "text" },
      once: { in: "body", kind: "boolean", whenAbsent: true },
      endpoint_id: { in: "body", kind: "text" },
      name: { in: "body", kind: "text" },
    },
    example: {
      id: "al_5Jq1vZ0mT8yXc4Rb",
      name: "gold above 4000",
      symbol: "XAU-USD-SPOT",
      kind: "above",
      threshold: "4000",
      window_seconds: null,
      direction: null,
      once: true,
      endpoint_id: "ep_9Kd2uP7nW3eHf6Ls",
      state: "armed",
      paused_reason: null,
      last_fired_at: null,
      created_at: "2026-11-20T14:03:27Z",
      updated_at: "2026-11-20T14:03:27Z",
      already_true: false,
    },
  },
  {
    resource: "alerts",
    action: "get",
    method: "GET",
    path: "/v1/account/alerts/{alert_id}",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      alert_id: { in: "path", kind: "text" },
    },
    example: {
      id: "al_5Jq1vZ0mT8yXc4Rb",
      name: "gold above 4000",
      symbol: "XAU-USD-SPOT",
      kind: "above",
      threshold: "4000",
      window_seconds: null,
      direction: null,
      once: true,
      endpoint_id: "ep_9Kd2uP7nW3eHf6Ls",
      state: "armed",
      paused_reason: null,
      last_fired_at: null,
      created_at: "2026-11-20T14:03:27Z",
      updated_at: "2026-11-20T14:03:27Z",
    },
  },
  {
    resource: "alerts",
    action: "update",
    method: "PATCH",
    path: "/v1/account/alerts/{alert_id}",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      alert_id: { in: "path", kind: "text" },
      threshold: { in: "body", kind: "text" },
      window_seconds: { in: "body", kind: "number" },
      direction: { in: "body", kind: "text" },
      once: { in: "body", kind: "boolean" },
      endpoint_id: { in: "body", kind: "text" },
      name: { in: "body", kind: "text" },
    },
    example: {
      id: "al_5Jq1vZ0mT8yXc4Rb",
      name: "gold above 4000",
      symbol: "XAU-USD-SPOT",
      kind: "above",
      threshold: "4100",
      window_seconds: null,
      direction: null,
      once: true,
      endpoint_id: "ep_9Kd2uP7nW3eHf6Ls",
      state: "armed",
      paused_reason: null,
      last_fired_at: null,
      created_at: "2026-11-20T14:03:27Z",
      updated_at: "2026-11-20T14:03:27Z",
      already_true: false,
    },
  },
  {
    resource: "alerts",
    action: "delete",
    method: "DELETE",
    path: "/v1/account/alerts/{alert_id}",
    status: 204,
    cacheControl: "no-store",
    parameters: {
      alert_id: { in: "path", kind: "text" },
    },
    example: undefined,
  },
  {
    resource: "endpoints",
    action: "list",
    method: "GET",
    path: "/v1/account/endpoints",
    status: 200,
    cacheControl: "no-store",
    parameters: {},
    example: {
      endpoints: [
        {
          id: "ep_9Kd2uP7nW3eHf6Ls",
          url: "https://example.com/hooks/assay",
          created_at: "2026-11-20T14:03:27Z",
          failing_since: null,
          disabled_at: null,
          disabled_reason: null,
        },
      ],
    },
  },
  {
    resource: "endpoints",
    action: "create",
    method: "POST",
    path: "/v1/account/endpoints",
    status: 201,
    cacheControl: "no-store",
    parameters: {
      url: { in: "body", kind: "text" },
    },
    example: {
      id: "ep_9Kd2uP7nW3eHf6Ls",
      url: "https://example.com/hooks/assay",
      created_at: "2026-11-20T14:03:27Z",
      failing_since: null,
      disabled_at: null,
      disabled_reason: null,
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    },
  },
  {
    resource: "endpoints",
    action: "delete",
    method: "DELETE",
    path: "/v1/account/endpoints/{endpoint_id}",
    status: 204,
    cacheControl: "no-store",
    parameters: {
      endpoint_id: { in: "path", kind: "text" },
    },
    example: undefined,
  },
  {
    resource: "endpoints",
    action: "test",
    method: "POST",
    path: "/v1/account/endpoints/{endpoint_id}/test",
    status: 201,
    cacheControl: "no-store",
    parameters: {
      endpoint_id: { in: "path", kind: "text" },
    },
    example: { delivery_id: "msg_3Gt8rQ6cV1aMz0Ny" },
  },
  {
    resource: "endpoints",
    action: "rotate",
    method: "POST",
    path: "/v1/account/endpoints/{endpoint_id}/rotate",
    status: 201,
    cacheControl: "no-store",
    parameters: {
      endpoint_id: { in: "path", kind: "text" },
    },
    example: {
      id: "ep_9Kd2uP7nW3eHf6Ls",
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      previous_secret_until: "2026-11-21T14:03:27Z",
    },
  },
  {
    resource: "deliveries",
    action: "list",
    method: "GET",
    path: "/v1/account/deliveries",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      alert_id: { in: "query", kind: "text" },
      endpoint_id: { in: "query", kind: "text" },
      status: { in: "query", kind: "text" },
      limit: { in: "query", kind: "number", whenAbsent: 100 },
      cursor: { in: "query", kind: "text" },
    },
    example: {
      deliveries: [
        {
          id: "msg_3Gt8rQ6cV1aMz0Ny",
          type: "price.above",
          alert_id: "al_5Jq1vZ0mT8yXc4Rb",
          endpoint_id: "ep_9Kd2uP7nW3eHf6Ls",
          status: "delivered",
          tries: 1,
          created_at: "2026-11-20T14:03:27.000Z",
          next_try_at: null,
          last_try_at: "2026-11-20T14:03:28Z",
          last_status: 204,
          last_error: null,
          payload:
            '{"type":"price.above","timestamp":"2026-11-20T14:03:27.000Z","data":{"alert_id":"al_5Jq1vZ0mT8yXc4Rb","name":"gold above 4000","symbol":"XAU-USD-SPOT","threshold":"4000","price":"4003.20","computed_at":"2026-11-20T14:03:27Z","seq":1841}}',
        },
      ],
      next_cursor: null,
    },
  },
  {
    resource: "deliveries",
    action: "redeliver",
    method: "POST",
    path: "/v1/account/deliveries/{delivery_id}/redeliver",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      delivery_id: { in: "path", kind: "text" },
    },
    example: {
      id: "msg_3Gt8rQ6cV1aMz0Ny",
      type: "price.above",
      alert_id: "al_5Jq1vZ0mT8yXc4Rb",
      endpoint_id: "ep_9Kd2uP7nW3eHf6Ls",
      status: "pending",
      tries: 0,
      created_at: "2026-11-20T14:03:27.000Z",
      next_try_at: "2026-11-20T14:03:27Z",
      last_try_at: "2026-11-20T14:03:28Z",
      last_status: 204,
      last_error: null,
      payload:
        '{"type":"price.above","timestamp":"2026-11-20T14:03:27.000Z","data":{"alert_id":"al_5Jq1vZ0mT8yXc4Rb","name":"gold above 4000","symbol":"XAU-USD-SPOT","threshold":"4000","price":"4003.20","computed_at":"2026-11-20T14:03:27Z","seq":1841}}',
    },
  },
];

/** Every error code: its status and its default message. */
export const mockErrors: Readonly<Record<keyof Wire.ErrorBodies, MockError>> = {
  invalid_symbol: { status: 400, message: "The symbol is not available." },
  bad_request: { status: 400, message: "A parameter cannot be used." },
  unsupported_currency: { status: 400, message: "The currency is not supported." },
  unsupported_unit: { status: 400, message: "The unit must be oz, gram or kg." },
  range_too_deep: { status: 400, message: "The range reaches further back than your tier allows." },
  unknown_past: { status: 400, message: "What was known then is not recorded." },
  unknown_pair: { status: 400, message: "The ratio pair is unknown." },
  invalid_api_key: { status: 401, message: "The API key is not valid." },
  unauthenticated: { status: 401, message: "This route needs an API key." },
  authentication_required: { status: 401, message: "Downloads need an API key." },
  plan_gated: { status: 403, message: "Your tier does not include this." },
  link_expired: { status: 403, message: "The link is not valid or has expired." },
  key_in_grace: { status: 403, message: "This key has been replaced and can no longer change anything." },
  not_found: { status: 404, message: "There is no such resource." },
  disabled: { status: 404, message: "The operator has disabled this feature." },
  key_not_found: { status: 404, message: "There is no such key." },
  alert_not_found: { status: 404, message: "There is no such alert." },
  endpoint_not_found: { status: 404, message: "There is no such endpoint." },
  delivery_not_found: { status: 404, message: "There is no such delivery." },
  unknown_metal: { status: 404, message: "The metal is unknown." },
  unknown_horizon: { status: 404, message: "The horizon is unknown." },
  method_not_allowed: { status: 405, message: "This path does not support that method." },
  key_limit_reached: { status: 409, message: "The organisation has the maximum number of keys." },
  alert_limit_reached: { status: 409, message: "The organisation has as many alerts as its tier allows." },
  endpoint_limit_reached: { status: 409, message: "The organisation has the maximum number of endpoints." },
  endpoint_in_use: { status: 409, message: "Alerts are sent to this endpoint." },
  payload_too_large: { status: 413, message: "The body is larger than 64 KiB." },
  unsupported_media_type: { status: 415, message: "The body must not be compressed." },
  validation_error: { status: 422, message: "A parameter is not valid." },
  invalid_horizon: { status: 422, message: "The horizon must be an ISO date." },
  rate_limited: { status: 429, message: "The hourly limit without a key is used up." },
  rate_limit_exceeded: { status: 429, message: "Too many requests in this minute." },
  quota_exceeded: { status: 429, message: "The monthly quota is used up." },
  storage_unavailable: { status: 500, message: "The archive storage failed." },
  storage_error: { status: 503, message: "The archive storage does not respond." },
  auth_unavailable: { status: 503, message: "Keys cannot be verified at the moment." },
  spot_unavailable: { status: 503, message: "There is no spot price at the moment." },
  no_horizons_available: { status: 503, message: "There are no horizons at the moment." },
  service_unavailable: { status: 503, message: "The service cannot handle this request at the moment." },
};
