/**
 * The routes for mock handlers: their types, an example of each response, and every error.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Mock, MockError, MockRoute, NoParams } from "../msw/mock-route.ts";
import type { CodesOf } from "./codes.ts";
import type * as Wire from "./wire.ts";

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
  readonly settlements?: {
    /** `GET /v1/settlements` */
    readonly list?: Mock<Wire.SettlementsListQuery, Wire.Settlements, CodesOf["settlements.list"]>;
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
];

/** Every error code: its status and its default message. */
export const mockErrors: Readonly<Record<keyof Wire.ErrorBodies, MockError>> = {
  invalid_symbol: { status: 400, message: "The symbol is not available." },
  bad_request: { status: 400, message: "A parameter cannot be used." },
  unsupported_currency: { status: 400, message: "The currency is not supported." },
  unsupported_unit: { status: 400, message: "The unit must be oz, gram or kg." },
  range_too_deep: { status: 400, message: "The range reaches further back than your tier allows." },
  unknown_pair: { status: 400, message: "The ratio pair is unknown." },
  invalid_api_key: { status: 401, message: "The API key is not valid." },
  unauthenticated: { status: 401, message: "This route needs an API key." },
  authentication_required: { status: 401, message: "Downloads need an API key." },
  plan_gated: { status: 403, message: "Your tier does not include this." },
  link_expired: { status: 403, message: "The link is not valid or has expired." },
  not_found: { status: 404, message: "There is no such resource." },
  disabled: { status: 404, message: "The operator has disabled this feature." },
  key_not_found: { status: 404, message: "There is no such key." },
  key_limit_reached: { status: 409, message: "The organisation has the maximum number of keys." },
  unknown_metal: { status: 404, message: "The metal is unknown." },
  unknown_horizon: { status: 404, message: "The horizon is unknown." },
  method_not_allowed: { status: 405, message: "This path does not support that method." },
  payload_too_large: { status: 413, message: "The body is larger than 64 KiB." },
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
