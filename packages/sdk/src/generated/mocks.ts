/**
 * What mock handlers know of the routes: their types, an example of each answer, and every error.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Mock, MockError, MockRoute, NoParams } from "../msw/mock-route.ts";
import type { CodesOf } from "./codes.ts";
import type * as Wire from "./wire.ts";

/** A mock for any route; those left out answer an example. */
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
    readonly get?: Mock<Wire.SpotGetQuery, Wire.SpotRow, CodesOf["spot.get"]>;
  };
  readonly bars?: {
    /** `GET /v1/bars` */
    readonly list?: Mock<Wire.BarsListQuery, Wire.BarsPage, CodesOf["bars.list"]>;
    /** `GET /v1/bars/latest` */
    readonly latest?: Mock<Wire.BarsLatestQuery, Wire.LatestBar, CodesOf["bars.latest"]>;
  };
  readonly convert?: {
    /** `GET /v1/convert` */
    readonly get?: Mock<Wire.ConvertGetQuery, Wire.Conversion, CodesOf["convert.get"]>;
  };
  readonly carat?: {
    /** `GET /v1/carat` */
    readonly get?: Mock<Wire.CaratGetQuery, Wire.KaratPrices, CodesOf["carat.get"]>;
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
        bars: { ok: true, last_bar_at: "2026-11-20T14:03:27Z", age_seconds: null },
        live_writer: {
          ok: true,
          configured: null,
          lease_owner: null,
          lease_expires_at: "2026-11-20T14:03:27Z",
          fencing_token: null,
        },
      },
      scrapers: {},
      value_staleness: {},
      market: { state: "open", next_change_at: "2026-11-20T14:03:27Z" },
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
        monthly_price_usd: "49.00",
        yearly_price_usd: "490.00",
        rate_limit_per_minute: 300,
        monthly_quota: 500000,
        allowed_bases: [],
        allowed_contracts: [],
        includes_mcp: false,
        commercial_use: false,
        support_sla_hours: null,
        max_concurrent_streams: 0,
        hidden: false,
      },
    ],
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
      from: "2026-11-20",
      to: "2026-11-20",
      as_of: "2026-11-20T14:03:27Z",
      series: [{ date: "2026-11-20", close: "4003.20" }],
      meta: { count: 0 },
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
          bid: "4002.90",
          ask: "4003.50",
          computed_at: "2026-11-20T14:03:27Z",
          price_gram_24k: "128.7059",
          price_gram_22k: "117.9804",
          price_gram_21k: "112.6176",
          price_gram_20k: "107.2549",
          price_gram_18k: "96.5294",
          price_gram_16k: "85.8039",
          price_gram_14k: "75.0784",
          price_gram_10k: "53.6274",
          open_price: "3991.80",
          high_price: "4011.65",
          low_price: "3986.40",
          prev_close_price: "3990.90",
          ch: "12.30",
          chp: "0.31",
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
    example: { threshold_bps: 0, computed_at: "2026-11-20T14:03:27Z", diverged_count: 0 },
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
      from: "2026-11-20",
      to: "2026-11-20",
      series: [
        {
          date: "2026-11-20",
          open: "3991.80",
          high: "4011.65",
          low: "3986.40",
          close: "4003.20",
          volume: null,
          is_stale: false,
          is_closed: true,
        },
      ],
      meta: { tier: "free", count: 0, ohlc_note: "Bars of the spot series." },
    },
  },
  {
    resource: "spot",
    action: "get",
    method: "GET",
    path: "/v1/spot/{symbol}",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      symbol: { in: "path", kind: "text" },
      include: { in: "query", kind: "text" },
    },
    example: {
      symbol: "XAU",
      quote_currency: "USD",
      unit: "troy_ounce",
      contract_type: "spot",
      is_stale: false,
      price: "4003.20",
      bid: "4002.90",
      ask: "4003.50",
      computed_at: "2026-11-20T14:03:27Z",
      price_gram_24k: "128.7059",
      price_gram_22k: "117.9804",
      price_gram_21k: "112.6176",
      price_gram_20k: "107.2549",
      price_gram_18k: "96.5294",
      price_gram_16k: "85.8039",
      price_gram_14k: "75.0784",
      price_gram_10k: "53.6274",
      open_price: "3991.80",
      high_price: "4011.65",
      low_price: "3986.40",
      prev_close_price: "3990.90",
      ch: "12.30",
      chp: "0.31",
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
    },
    example: {
      symbol: "XAU-USD-SPOT",
      interval: "1m",
      bars: [
        {
          bar_start: "2026-11-20T00:00:00Z",
          open: "3991.80",
          high: "4011.65",
          low: "3986.40",
          close: "4003.20",
          volume: "8123400",
          is_closed: true,
        },
      ],
      next_cursor: null,
      meta: { tier: "free", count: 0, source_id: "composed" },
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
    },
    example: {
      symbol: "XAU-USD-SPOT",
      interval: "1m",
      bar: {
        bar_start: "2026-11-20T00:00:00Z",
        open: "3991.80",
        high: "4011.65",
        low: "3986.40",
        close: "4003.20",
        volume: "8123400",
        is_closed: true,
      },
      meta: { tier: "free", count: 0, source_id: "composed" },
    },
  },
  {
    resource: "convert",
    action: "get",
    method: "GET",
    path: "/v1/convert",
    status: 200,
    cacheControl: "no-store",
    parameters: {
      from: { in: "query", kind: "text" },
      to: { in: "query", kind: "text" },
      amount: { in: "query", kind: "text", whenAbsent: "1" },
      unit: { in: "query", kind: "text", whenAbsent: "oz" },
    },
    example: {
      from: "XAU",
      to: "EUR",
      amount: "2.5",
      rate: "3454.76160",
      result: "8636.90",
      unit: "oz",
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
    parameters: {
      currency: { in: "query", kind: "text", whenAbsent: "USD" },
    },
    example: {
      currency: "USD",
      timestamp: "2026-11-20T14:03:27Z",
      price_gram_24k: "128.7059",
      price_gram_22k: "117.9804",
      price_gram_21k: "112.6176",
      price_gram_20k: "107.2549",
      price_gram_18k: "96.5294",
      price_gram_16k: "85.8039",
      price_gram_14k: "75.0784",
      price_gram_10k: "53.6274",
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
        id: "3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11",
        key_prefix: "assay_live_4fGh2",
        name: "",
        created_at: "2026-11-20T14:03:27Z",
        last_used_at: "2026-11-20T14:03:27Z",
        revoked_at: "2026-11-20T14:03:27Z",
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
      id: "3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11",
      plaintext: "",
      key_prefix: "assay_live_4fGh2",
      created_at: "2026-11-20T14:03:27Z",
      previous_key_revokes_at: "2026-11-20T14:03:27Z",
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
      calls_today: 0,
      calls_this_month: 0,
      active_streams: null,
      max_streams: null,
      tier: "free",
      monthly_quota: 0,
      remaining_this_month: 0,
      resets_at: "2026-12-01T00:00:00Z",
    },
  },
];

/** Every error code: its status, and its message where a mock gives none. */
export const mockErrors: Readonly<Record<keyof Wire.ErrorBodies, MockError>> = {
  invalid_symbol: { status: 400, message: "The symbol is not available." },
  bad_request: { status: 400, message: "The request is well-formed but makes no sense." },
  unsupported_currency: { status: 400, message: "The currency is not supported." },
  unsupported_unit: { status: 400, message: "The unit must be oz, gram or kg." },
  range_too_deep: { status: 400, message: "The range reaches further back than your tier allows." },
  unknown_pair: { status: 400, message: "The ratio pair is unknown." },
  invalid_api_key: { status: 401, message: "The API key is not valid." },
  unauthenticated: { status: 401, message: "This route needs an API key." },
  authentication_required: { status: 401, message: "Downloads need an API key." },
  plan_gated: { status: 403, message: "Your tier does not include this." },
  not_found: { status: 404, message: "There is no such resource." },
  disabled: { status: 404, message: "This feature is switched off here." },
  key_not_found: { status: 404, message: "There is no such key." },
  unknown_metal: { status: 404, message: "The metal is unknown." },
  unknown_horizon: { status: 404, message: "The horizon is unknown." },
  method_not_allowed: { status: 405, message: "This path does not take that method." },
  payload_too_large: { status: 413, message: "The body is larger than 64 KiB." },
  validation_error: { status: 422, message: "A parameter is not valid." },
  invalid_horizon: { status: 422, message: "The horizon must be an ISO date." },
  rate_limited: { status: 429, message: "The hourly allowance without a key is used up." },
  rate_limit_exceeded: { status: 429, message: "Too many requests in this minute." },
  quota_exceeded: { status: 429, message: "The monthly quota is used up." },
  storage_unavailable: { status: 500, message: "The archive storage failed." },
  storage_error: { status: 503, message: "The archive storage does not answer." },
  auth_unavailable: { status: 503, message: "Keys cannot be verified at the moment." },
  spot_unavailable: { status: 503, message: "There is no spot price at the moment." },
  no_horizons_available: { status: 503, message: "There are no horizons at the moment." },
  service_unavailable: { status: 503, message: "The service cannot answer this at the moment." },
};
