/**
 * Responses, parameters and error bodies as they are on the wire: amounts and instants as text, names in snake_case.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type {
  BarSymbol,
  ContractType,
  Convertible,
  CounterCurrency,
  Cross,
  Currency,
  DealerWeightUnit,
  FuturesSymbol,
  Interval,
  Metal,
  Open,
  PriceUnit,
  RatioPair,
  SettlementType,
  SpotName,
  SurfaceFlag,
  SurfaceMetal,
  TierName,
  Unit,
  WebhookType,
  WeightUnit,
} from "./values.ts";

/** The process is running. */
export interface Health {
  /** Always ok. */
  readonly status: string;
  /** The service's name. */
  readonly service: string;
  /** The API version. */
  readonly version: string;
}

/** Whether prices can be trusted right now, and why not. */
export interface Status {
  /** The overall status. */
  readonly status: "ok" | "degraded";
  /** When this was checked. */
  readonly checked_at: string;
  /** The API version. */
  readonly version: string;
  /** The commit that the process was built from, if it is known. */
  readonly commit?: string;
  /** What the overall status depends on, besides the feeds. */
  readonly checks: StatusChecks;
  /** Each feed by its key. */
  readonly scrapers: Readonly<Record<string, FeedStatus>>;
  /** Each priced symbol. */
  readonly value_staleness: Readonly<Record<string, ValueStaleness>>;
  /** Whether the spot market trades. */
  readonly market: StatusMarket;
  /** How far the past has been filled in; does not affect the overall status. */
  readonly history: HistoryStatus;
  /** State of the yearly archives; null if they are disabled. */
  readonly archives: ArchivesStatus | null;
  /** What callers without a key have; does not affect the overall status. */
  readonly keyless: KeylessAccess;
  /** Whether any figure of this service comes from the simulated market. */
  readonly simulated: boolean;
  /** Why it is degraded. */
  readonly reasons: readonly string[];
}

/** What the overall status depends on, besides the feeds. */
export interface StatusChecks {
  /** Whether the cache responds. */
  readonly cache: Check;
  /** Whether XAU-USD-SPOT bars are fresh. */
  readonly bars: BarsCheck;
  /** Whether the expected writer holds the lease. */
  readonly live_writer: WriterCheck;
}

/** Whether the cache responds. */
export interface Check {
  /** Whether the check passes. */
  readonly ok: boolean;
}

/** Whether XAU-USD-SPOT bars are fresh. */
export interface BarsCheck {
  /** Whether the check passes. */
  readonly ok: boolean;
  /** Start of the newest XAU-USD-SPOT minute. */
  readonly last_bar_at: string | null;
  /** Seconds since it began. */
  readonly age_seconds: number | null;
}

/** Whether the expected writer holds the lease. */
export interface WriterCheck {
  /** Whether the check passes. */
  readonly ok: boolean;
  /** The expected holder of the lease; null for any. */
  readonly configured: string | null;
  /** The holder; null if there is none. */
  readonly lease_owner: string | null;
  /** Until when. */
  readonly lease_expires_at: string | null;
  /** Increases by one at each takeover. */
  readonly fencing_token: number | null;
}

/** The freshness of one feed. */
export interface FeedStatus {
  /** ok, failing (late or rejected), or waiting for its first success. */
  readonly status: "ok" | "failing" | "waiting";
  /** Whether the overall status depends on it. */
  readonly required: boolean;
  /** Expected seconds between successes. */
  readonly expected_interval_seconds: number;
  /** Last success. */
  readonly last_success_at: string | null;
  /** Seconds since the last success. */
  readonly age_seconds: number | null;
  /** Failures since the last success. */
  readonly consecutive_failures: number;
  /** Observations rejected by a rule since the start. */
  readonly rejected_observations: number;
  /** The class of the last failure, or the rule of the last refusal; null before the first. */
  readonly last_error: string | null;
}

/** The freshness of one price. */
export interface ValueStaleness {
  /** Past its freshness window. */
  readonly is_stale: boolean;
  /** Seconds since the price was computed. */
  readonly age_seconds: number | null;
  /** Why it is stale; null when it is not. */
  readonly reason: string | null;
}

/** Whether the spot market trades. */
export interface StatusMarket {
  /** Whether the spot market is open. */
  readonly state: "open" | "closed";
  /** When that changes. */
  readonly next_change_at: string | null;
}

/** How far the past has been filled in; does not affect the overall status. */
export interface HistoryStatus {
  /** Whether every stored series reaches as far back as it is to. */
  readonly complete: boolean;
  /** Bars still to be filled in, counted as if the market never closed. */
  readonly pending: number;
}

/** State of the yearly archives; does not affect the overall status. */
export interface ArchivesStatus {
  /** Years still to be built; null before the first check. */
  readonly pending: number | null;
  /** Years built since this writer became the leader. */
  readonly built: number;
  /** When one was built last. */
  readonly last_built_at: string | null;
  /** The class of the last error; null if there was none. */
  readonly last_error: string | null;
}

/** What callers without a key have; does not affect the overall status. */
export interface KeylessAccess {
  /** The tier of callers without a key. */
  readonly tier: TierName;
  /** What they have, in words. */
  readonly description: string;
}

/** What a tier costs and allows. */
export interface Tier {
  /** Tier name. */
  readonly name: TierName;
  /** Price per month in USD. */
  readonly monthly_price_usd: string;
  /** Price per year in USD. */
  readonly yearly_price_usd: string;
  /** Requests per minute and organisation. */
  readonly rate_limit_per_minute: number;
  /** Metered requests per UTC calendar month and organisation. */
  readonly monthly_quota: number;
  /** Metals the tier includes. */
  readonly allowed_bases: readonly Open<Metal>[];
  /** Contract types the tier includes. */
  readonly allowed_contracts: readonly ContractType[];
  /** Whether agent access (MCP) is included. */
  readonly includes_mcp: boolean;
  /** Whether commercial use is allowed. */
  readonly commercial_use: boolean;
  /** Support response time in hours, null for none. */
  readonly support_sla_hours: number | null;
  /** Streams open at once per key, SSE and WebSocket together. */
  readonly max_concurrent_streams: number;
  /** Alerts of an organisation. */
  readonly max_alerts: number;
  /** Grandfathered: no longer sold. */
  readonly hidden: boolean;
}

/** Metals, funds, currencies and units, and the names made of them. */
export interface Catalog {
  /** Metals. */
  readonly metals: readonly CatalogMetal[];
  /** Funds. */
  readonly funds: readonly CatalogFund[];
  /** Currencies. */
  readonly currencies: readonly CatalogCurrency[];
  /** Units of weight. */
  readonly units: readonly CatalogUnit[];
  /** Pairs of the ratio routes. */
  readonly ratios: readonly CatalogRatio[];
  /** Symbols of the price routes. */
  readonly symbols: readonly string[];
  /** Series of the bar routes. */
  readonly bar_symbols: readonly string[];
}

/** A metal. */
export interface CatalogMetal {
  /** Trading code. */
  readonly code: string;
  /** English name, which is also an alias. */
  readonly name: string;
  /** Other names on the price routes. */
  readonly aliases: readonly string[];
  /** The unit of its price. */
  readonly unit: string;
  /** spot: priced, with bars. daily: daily closes for ratios only. */
  readonly coverage: "spot" | "daily";
  /** What its name alone means on the price routes. */
  readonly default_contract: ContractType;
  /** USD, or every quoted currency. */
  readonly quoted_in: "USD" | "all";
  /** The lowest tier that sees it, unless the operator's tiers differ. */
  readonly tier: TierName;
  /** Whether /v1/convert has it. */
  readonly convertible: boolean;
  /** Whether it has prices by karat. */
  readonly karats: boolean;
  /** Purities it is traded in, in parts of 1000, purest first. */
  readonly finenesses: readonly number[];
  /** Streams that carry it. */
  readonly streams: readonly ("sse" | "websocket")[];
  /** Whether it has probability surfaces and signals. */
  readonly has_surface: boolean;
  /** How far apart two sources of one moment may be, in bps. */
  readonly agreement_bps: number;
  /** A reading with a wider spread is refused, in percent. */
  readonly max_spread_percent: number;
  /** Plausible prices in USD, inclusive; readings outside are refused. */
  readonly bounds: CatalogBounds;
  /** Its futures; null for none. */
  readonly futures: CatalogFutures | null;
}

/** Plausible prices in USD, inclusive; readings outside are refused. */
export interface CatalogBounds {
  /** Lowest. */
  readonly low: string;
  /** Highest. */
  readonly high: string;
}

/** A metal's futures. */
export interface CatalogFutures {
  /** The product, which is also the symbol of its bars. */
  readonly product: string;
  /** Delivery months with high volume, 1 to 12. */
  readonly main_months: readonly number[];
}

/** A fund that holds a metal. */
export interface CatalogFund {
  /** The fund. */
  readonly code: string;
  /** Its name. */
  readonly name: string;
  /** What it holds. */
  readonly metal: string;
  /** How far apart two sources of one moment may be, in bps. */
  readonly agreement_bps: number;
  /** A reading with a wider spread is refused, in percent. */
  readonly max_spread_percent: number;
  /** Plausible prices in USD, inclusive; readings outside are refused. */
  readonly bounds: CatalogBounds;
}

/** A currency. */
export interface CatalogCurrency {
  /** ISO 4217 code. */
  readonly code: string;
  /** English name. */
  readonly name: string;
  /** Decimals of an amount, ISO 4217 minor units. */
  readonly minor_units: number;
  /** Whether prices can be quoted in it; others are only in dealers' prices. */
  readonly quoted: boolean;
  /** Its peg; null when it floats. */
  readonly peg: CatalogPeg | null;
  /** Publisher of its daily reference rate; null for none. */
  readonly reference: string | null;
}

/** A currency's peg. */
export interface CatalogPeg {
  /** The anchor. */
  readonly to: string;
  /** Units per unit of the anchor. */
  readonly units: string;
  /** Fixed, or kept near it. */
  readonly fixed: boolean;
}

/** A unit of weight. */
export interface CatalogUnit {
  /** The unit. */
  readonly code: string;
  /** English name. */
  readonly name: string;
  /** Grams in one, exactly. */
  readonly grams: string;
  /** Where it is accepted: price, convert, dealers. */
  readonly accepted: readonly string[];
}

/** A ratio. */
export interface CatalogRatio {
  /** The pair. */
  readonly pair: string;
  /** Its numerator. */
  readonly numerator: string;
  /** Its denominator. */
  readonly denominator: string;
}

/** A year of daily gold closes, newest first. */
export interface PublicHistory {
  /** Always XAU-USD-SPOT. */
  readonly symbol: string;
  /** Always USD. */
  readonly quote_currency: string;
  /** Closes are per troy ounce. */
  readonly unit: "troy_ounce";
  /** Daily. */
  readonly interval: "1d";
  /** First day of the window. */
  readonly from: string;
  /** Last day of the window. */
  readonly to: string;
  /** The hour's start. */
  readonly as_of: string;
  /** Newest first. */
  readonly series: readonly DailyClose[];
  /** Metadata of the response. */
  readonly meta: PublicHistoryMeta;
}

/** The close of one day. */
export interface DailyClose {
  /** The day. */
  readonly date: string;
  /** Close in USD per troy ounce. */
  readonly close: string;
}

/** Metadata of the response. */
export interface PublicHistoryMeta {
  /** Rows in the series. */
  readonly count: number;
  /** False while bars of this response are still being filled in; omitted once it is whole. */
  readonly complete?: false;
}

/** Spot prices, one row per symbol. */
export interface Prices {
  /** One row per symbol. */
  readonly symbols: readonly SpotRow[];
}

/** One priced symbol. */
export interface SpotRow {
  /** Metal code. */
  readonly symbol: Open<Metal>;
  /** ISO 4217 code. */
  readonly quote_currency: Open<Currency>;
  /** Unit of the price: pound for HG, otherwise troy_ounce. */
  readonly unit: Open<PriceUnit>;
  /** spot or futures. */
  readonly contract_type: ContractType;
  /** True when the price is outside its freshness window. */
  readonly is_stale: boolean;
  /** Why it is stale; only when it is. */
  readonly stale_reason?: "market_closed" | "feed_down" | "fx_fallback";
  /** Price of one unit in the quote currency; absent when unavailable. */
  readonly price?: string;
  /** Bid of one unit in the quote currency; absent when unavailable. */
  readonly bid?: string;
  /** Ask of one unit in the quote currency; absent when unavailable. */
  readonly ask?: string;
  /**
   * When the price was computed; of a settlement its source's instant, of the last close its bar's end; absent when unavailable.
   */
  readonly computed_at?: string;
  /** Group sources: provenance, filtered by tier. */
  readonly sources?: readonly Source[];
  /**
   * Group sources, receipts: the price in USD per ounce or pound, with every digit: times `fx_rate` it is the price to its last
   * digit.
   */
  readonly price_usd?: string;
  /**
   * Group sources, receipts, outside USD: units of the currency for one USD that stood when the price was published, up to 18
   * significant digits.
   */
  readonly fx_rate?: string;
  /** Group sources, receipts, outside USD: where the rate comes from. */
  readonly fx_source?: string;
  /** Group sources, receipts, outside USD: what the rate is. */
  readonly fx_role?: "live" | "reference" | "peg";
  /** Group sources, receipts, outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fx_at?: string;
  /** Group karat: price per gram of 24 karat, in the quote currency. */
  readonly price_gram_24k?: string;
  /** Group karat: price per gram of 22 karat, in the quote currency. */
  readonly price_gram_22k?: string;
  /** Group karat: price per gram of 21 karat, in the quote currency. */
  readonly price_gram_21k?: string;
  /** Group karat: price per gram of 20 karat, in the quote currency. */
  readonly price_gram_20k?: string;
  /** Group karat: price per gram of 18 karat, in the quote currency. */
  readonly price_gram_18k?: string;
  /** Group karat: price per gram of 16 karat, in the quote currency. */
  readonly price_gram_16k?: string;
  /** Group karat: price per gram of 14 karat, in the quote currency. */
  readonly price_gram_14k?: string;
  /** Group karat: price per gram of 10 karat, in the quote currency. */
  readonly price_gram_10k?: string;
  /** Group stats: whether the sources differ by 50 bps or more. */
  readonly divergence_flag?: boolean;
  /** Group stats: (highest − lowest) / median of the fresh primary sources, in bps, one decimal. */
  readonly divergence_bps?: number;
  /** Group stats: only when the primary source is the council rate. */
  readonly value_stale?: boolean;
  /** Group stats: the UTC day's open, in the quote currency. */
  readonly open_price?: string;
  /** Group stats: the UTC day's high, in the quote currency. */
  readonly high_price?: string;
  /** Group stats: the UTC day's low, in the quote currency. */
  readonly low_price?: string;
  /** Group stats: the close of the UTC day before that of the price, in the quote currency. */
  readonly prev_close_price?: string;
  /** Group stats: price minus previous close, in the quote currency. */
  readonly ch?: string;
  /** Group stats: that change in percent. */
  readonly chp?: string;
  /** Group stats: epoch seconds at UTC midnight. */
  readonly open_time?: number;
}

/** Where a price comes from. */
export interface Source {
  /** The feed's key. */
  readonly source: string;
  /** The publisher's name. */
  readonly display_name?: string;
  /** Its own price of one unit, in the row's quote currency. */
  readonly price?: string;
  /** troy_ounce or pound. */
  readonly unit?: string;
  /** The class of its terms of use. */
  readonly license?: string;
  /** Past its freshness window. */
  readonly is_stale?: boolean;
  /** A reference-only feed that never sets the price. */
  readonly informational?: boolean;
  /** primary: sets the price; council: sets it while no primary is fresh; reference: never does. */
  readonly role?: "primary" | "council" | "reference";
  /**
   * When the price was computed: believed: the price is the median of these; refused: by rule; silent: no fresh reading; standby:
   * agrees, but does not set the price.
   */
  readonly verdict?: "believed" | "refused" | "silent" | "standby";
  /** The rule that refused it; only with refused. */
  readonly rule?: string;
}

/** Where sources differ: with a key the symbols, without one their number. */
export type Divergence = DivergenceCount | DivergenceDetail;

/** The response to anonymous callers. */
export interface DivergenceCount {
  /** The requested threshold. */
  readonly threshold_bps: number;
  /** The moment looked at. */
  readonly computed_at: string;
  /** How many symbols diverge. */
  readonly diverged_count: number;
  /** Absent in this form. */
  readonly diverged?: undefined;
}

/** The response with a key. */
export interface DivergenceDetail {
  /** The requested threshold. */
  readonly threshold_bps: number;
  /** The moment looked at. */
  readonly computed_at: string;
  /** The diverging symbols that the tier includes. */
  readonly diverged: readonly DivergedRow[];
  /** Absent in this form. */
  readonly diverged_count?: undefined;
}

/** One symbol whose sources differ. */
export interface DivergedRow {
  /** Metal code. */
  readonly symbol: Open<Metal>;
  /** ISO 4217 code. */
  readonly quote_currency: Open<Currency>;
  /** spot or futures. */
  readonly contract_type: ContractType;
  /** (highest − lowest) / median, in bps, one decimal. */
  readonly divergence_bps: number;
  /** The believed primary sources, filtered by tier. */
  readonly primary_sources: readonly Source[];
  /** When the price was computed. */
  readonly computed_at: string;
}

/** Bars of a window, oldest first. */
export interface History {
  /** The series. */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. */
  readonly interval: "1d" | "1h";
  /** First day served. */
  readonly from: string;
  /** Last day served. */
  readonly to: string;
  /** Oldest first. */
  readonly series: readonly SeriesEntry[];
  /** Metadata of the response. */
  readonly meta: HistoryMeta;
}

/** One row of the deprecated history: prices in USD per troy ounce, per pound for HG, per share for GLD. */
export interface SeriesEntry {
  /** YYYY-MM-DD for daily, ISO-8601 UTC for intraday. */
  readonly date: string;
  /** Open. */
  readonly open: string | null;
  /** High. */
  readonly high: string | null;
  /** Low. */
  readonly low: string | null;
  /** Close. */
  readonly close: string | null;
  /** Always null. */
  readonly volume: null;
  /** Whether the underlying price was stale. */
  readonly is_stale: boolean;
  /** False while the bar is forming. */
  readonly is_closed: boolean;
}

/** Metadata of the response. */
export interface HistoryMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Rows in the series. */
  readonly count: number;
  /** Where the bars come from. */
  readonly ohlc_note: string;
  /** False while bars of this response are still being filled in; omitted once it is whole. */
  readonly complete?: false;
}

/** One priced symbol, now or at a past instant. */
export interface SpotAnswer {
  /** Metal code. */
  readonly symbol: Open<Metal>;
  /** ISO 4217 code. */
  readonly quote_currency: Open<Currency>;
  /** Unit of the price: pound for HG, otherwise troy_ounce. */
  readonly unit: Open<PriceUnit>;
  /** spot or futures. */
  readonly contract_type: ContractType;
  /** True when the price is outside its freshness window. */
  readonly is_stale: boolean;
  /** Why it is stale; only when it is. */
  readonly stale_reason?: "market_closed" | "feed_down" | "fx_fallback";
  /** Price of one unit in the quote currency; absent when unavailable. */
  readonly price?: string;
  /** Bid of one unit in the quote currency; absent when unavailable. */
  readonly bid?: string;
  /** Ask of one unit in the quote currency; absent when unavailable. */
  readonly ask?: string;
  /**
   * When the price was computed; of a settlement its source's instant, of the last close its bar's end; absent when unavailable.
   */
  readonly computed_at?: string;
  /** Group sources: provenance, filtered by tier. */
  readonly sources?: readonly Source[];
  /**
   * With `at`, group sources, receipts: the price in USD per ounce or pound, with every digit: times `fx_rate` it is the price to
   * its last digit.
   */
  readonly price_usd?: string;
  /**
   * With `at`, group sources, receipts, outside USD: units of the currency for one USD that stood when the price was published,
   * up to 18 significant digits.
   */
  readonly fx_rate?: string;
  /** With `at`, group sources, receipts, outside USD: where the rate comes from. */
  readonly fx_source?: string;
  /** With `at`, group sources, receipts, outside USD: what the rate is. */
  readonly fx_role?: "live" | "reference" | "peg";
  /** With `at`, group sources, receipts, outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fx_at?: string;
  /** Group karat: price per gram of 24 karat, in the quote currency. */
  readonly price_gram_24k?: string;
  /** Group karat: price per gram of 22 karat, in the quote currency. */
  readonly price_gram_22k?: string;
  /** Group karat: price per gram of 21 karat, in the quote currency. */
  readonly price_gram_21k?: string;
  /** Group karat: price per gram of 20 karat, in the quote currency. */
  readonly price_gram_20k?: string;
  /** Group karat: price per gram of 18 karat, in the quote currency. */
  readonly price_gram_18k?: string;
  /** Group karat: price per gram of 16 karat, in the quote currency. */
  readonly price_gram_16k?: string;
  /** Group karat: price per gram of 14 karat, in the quote currency. */
  readonly price_gram_14k?: string;
  /** Group karat: price per gram of 10 karat, in the quote currency. */
  readonly price_gram_10k?: string;
  /** Group stats: whether the sources differ by 50 bps or more. */
  readonly divergence_flag?: boolean;
  /** Group stats: (highest − lowest) / median of the fresh primary sources, in bps, one decimal. */
  readonly divergence_bps?: number;
  /** Group stats: only when the primary source is the council rate. */
  readonly value_stale?: boolean;
  /** Group stats: the UTC day's open, in the quote currency. */
  readonly open_price?: string;
  /** Group stats: the UTC day's high, in the quote currency. */
  readonly high_price?: string;
  /** Group stats: the UTC day's low, in the quote currency. */
  readonly low_price?: string;
  /** Group stats: the close of the UTC day before that of the price, in the quote currency. */
  readonly prev_close_price?: string;
  /** Group stats: price minus previous close, in the quote currency. */
  readonly ch?: string;
  /** Group stats: that change in percent. */
  readonly chp?: string;
  /** Group stats: epoch seconds at UTC midnight. */
  readonly open_time?: number;
  /** With `at`: the instant the price stood at. */
  readonly as_of?: string;
  /** With `at`: what the price is: a published price, the close of a bar of this interval, or a settlement. */
  readonly basis?: "tick" | "1m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d" | "settlement";
  /** With `at`, outside USD: the UTC day of the rate. */
  readonly fx_date?: string;
}

/** One page of bars, newest first. */
export interface BarsPage {
  /** The series, canonical form. */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. */
  readonly interval: Interval;
  /** Newest first, or oldest first with order=asc. */
  readonly bars: readonly Bar[];
  /** Cursor of the next page; null when there are no more. */
  readonly next_cursor: string | null;
  /** Metadata of the response. */
  readonly meta: BarsMeta;
}

/**
 * Open, high, low, close and volume over the interval that starts at bar_start. Open, high and low are null where only the close
 * is known. Prices are in USD: per troy ounce, per pound for HG, per share for GLD.
 */
export interface Bar {
  /** When the bar begins. */
  readonly bar_start: string;
  /** First price. */
  readonly open: string | null;
  /** Highest price. */
  readonly high: string | null;
  /** Lowest price. */
  readonly low: string | null;
  /** Last price. */
  readonly close: string | null;
  /** Contracts or shares traded; null for spot. */
  readonly volume: string | null;
  /** False while the bar is forming. */
  readonly is_closed: boolean;
}

/** Metadata of the response. */
export interface BarsMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Bars in this response. */
  readonly count: number;
  /** Where the newest of the bars comes from; without bars, the series. */
  readonly source_id: string | null;
  /** False while bars of this response are still being filled in; omitted once it is whole. */
  readonly complete?: false;
}

/** The most recent bar of a series, forming or closed. */
export interface LatestBar {
  /** The series, canonical form. */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. */
  readonly interval: Interval;
  /** Null when there is none. */
  readonly bar: Bar | null;
  /** Metadata of the response. */
  readonly meta: BarsMeta;
}

/** A link to an archive. */
export interface DownloadLink {
  /** Link to the archive, valid for one hour. */
  readonly location: string;
}

/** A page of ratios. */
export interface RatiosPage {
  /** The pair. */
  readonly pair: Open<RatioPair>;
  /** The numerator. */
  readonly numerator: string;
  /** The denominator. */
  readonly denominator: string;
  /** Always daily. */
  readonly interval: "1d";
  /** Newest first, or oldest first with order=asc. */
  readonly points: readonly RatioPoint[];
  /** Cursor of the next page; null when there are no more. */
  readonly next_cursor: string | null;
  /** Metadata of the response. */
  readonly meta: RatiosMeta;
}

/** The ratio of one settled day. */
export interface RatioPoint {
  /** The UTC day of both closes. */
  readonly date: string;
  /** Numerator close divided by denominator close, 4 decimals; one below the last of them has four significant digits instead. */
  readonly ratio: string;
  /** Close of the numerator. */
  readonly numerator_close: string;
  /** Close of the denominator. */
  readonly denominator_close: string;
}

/** Metadata of the response. */
export interface RatiosMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Points in this response. */
  readonly count: number;
  /** False while bars of this response are still being filled in; omitted once it is whole. */
  readonly complete?: false;
}

/** The latest ratio of a pair. */
export interface LatestRatio {
  /** The pair. */
  readonly pair: Open<RatioPair>;
  /** The numerator. */
  readonly numerator: string;
  /** The denominator. */
  readonly denominator: string;
  /** Always daily. */
  readonly interval: "1d";
  /** Null when no day is shared. */
  readonly point: RatioPoint | null;
  /** Metadata of the response. */
  readonly meta: RatiosMeta;
}

/** A page of a daily series. */
export interface SeriesPage {
  /** The cross, canonical form. */
  readonly symbol: Open<Cross>;
  /** ISO 4217 code. */
  readonly quote_currency: Open<Currency>;
  /** Unit of weight the price is of. */
  readonly unit: Open<Unit>;
  /** Purity in parts of 1000, at most three decimals. */
  readonly fineness: string;
  /** Always daily. */
  readonly interval: "1d";
  /** Newest first, or oldest first with order=asc. */
  readonly points: readonly SeriesPoint[];
  /** Cursor of the next page; null when there are no more. */
  readonly next_cursor: string | null;
  /** Metadata of the response. */
  readonly meta: SeriesMeta;
}

/** The price of one settled day. */
export interface SeriesPoint {
  /** The UTC day. */
  readonly date: string;
  /** Close of one unit in the quote currency: usd_close × fx_rate × weight × purity, rounded once. */
  readonly price: string;
  /** Close of the day in USD, with every digit the price is computed from, per pound for HG, otherwise troy_ounce. */
  readonly usd_close: string;
  /** Units of the quote currency for one USD, up to 18 significant digits; 1 for USD. */
  readonly fx_rate: string;
  /** The day the rate was published, at most seven days before `date`; for USD and what is pegged to it `date`. */
  readonly fx_date: string;
}

/** Metadata of the response. */
export interface SeriesMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Points in this response. */
  readonly count: number;
  /** False while bars of this response are still being filled in; omitted once it is whole. */
  readonly complete?: false;
}

/** Settlements of a window. */
export interface Settlements {
  /** Newest first. */
  readonly settlements: readonly Settlement[];
}

/** The active contract's settlement of one day. */
export interface Settlement {
  /** The product: GC, SI or HG. */
  readonly symbol: Open<FuturesSymbol>;
  /** The exchange's day. */
  readonly settlement_date: string;
  /** Price of the day's active contract, in USD per ounce, copper per pound. */
  readonly settlement_price: string | null;
  /** The previous settlement of the same contract; null when there is none. */
  readonly prior_settlement: string | null;
  /** settlement_price minus prior_settlement. */
  readonly change_value: string | null;
  /** Contracts traded. */
  readonly volume: number | null;
  /** Contracts open at the end of the day. */
  readonly open_interest: number | null;
  /** The feed's key. */
  readonly source: string | null;
  /** What the figure is. */
  readonly source_type: Open<SettlementType>;
  /** When the publisher says it was so. */
  readonly source_timestamp: string | null;
  /** When it was taken in. */
  readonly fetched_at: string | null;
  /** Disclaimer; only on proxies. */
  readonly disclaimer?: string;
}

/** Corrections, oldest first. */
export interface CorrectionsPage {
  /** The current epoch of the chain. */
  readonly epoch: number;
  /** Oldest first. */
  readonly corrections: readonly Correction[];
  /** The since of the next page, which may still be empty. */
  readonly next_since: number;
  /** Metadata of the response. */
  readonly meta: CorrectionsMeta;
}

/** A closed bar, a settlement or a reference rate that is no longer what it was. */
export interface Correction {
  /** Its place in the chain; numbers rise. */
  readonly number: number;
  /** The epoch of the chain; restoring a backup begins another. */
  readonly epoch: number;
  /** The revision of the store that made it. */
  readonly revision: number;
  /** When it was recorded; known_at from then on has it, with milliseconds. */
  readonly recorded_at: string;
  /** The series or product, or the reference rate of a currency for one of another: EUR-USD-REFERENCE. */
  readonly symbol: Open<BarSymbol>;
  /** The bar's interval; null for others. */
  readonly interval: Interval | null;
  /** When the bar begins; null for others. */
  readonly bar_start: string | null;
  /** The settlement's day; null for others. */
  readonly settlement_date: string | null;
  /** The settlement's contract; null for others. */
  readonly futures_contract: string | null;
  /** Why it was made. */
  readonly reason: Open<"import" | "withdrawn" | "late_source" | "publisher" | "operator">;
  /** The day of a reference rate; absent for others. */
  readonly reference_date?: string;
  /** Who restated a rate, or whom imported bars are from, as source_id has it. */
  readonly source?: string;
  /** What the operator said of an import. */
  readonly note?: string;
  /** The figures of a closed bar or of a settlement, as their routes show them; of a reference rate the close alone. */
  readonly before: CorrectionFigures;
  /** Null when it was removed. */
  readonly after: CorrectionFigures | null;
  /** The digest of the correction before; null for the first. */
  readonly previous: string | null;
  /** SHA-256 of the others of these fields, as canonical JSON (RFC 8785). */
  readonly digest: string;
}

/** The figures of a closed bar or of a settlement, as their routes show them; of a reference rate the close alone. */
export interface CorrectionFigures {
  /** First price; null for a settlement. */
  readonly open: string | null;
  /** Highest price; null for a settlement. */
  readonly high: string | null;
  /** Lowest price; null for a settlement. */
  readonly low: string | null;
  /** Last price, or the settlement. */
  readonly close: string | null;
  /** Contracts or shares traded; null for spot. */
  readonly volume: string | null;
}

/** Metadata of the response. */
export interface CorrectionsMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Corrections in this response. */
  readonly count: number;
}

/** The head of the chain of corrections. */
export interface ChainHead {
  /** The current epoch of the chain. */
  readonly epoch: number;
  /** The number of the newest correction; 0 when there is none. */
  readonly number: number;
  /** Its digest; null when there is none. */
  readonly digest: string | null;
  /** When it was recorded; null when there is none, with milliseconds. */
  readonly recorded_at: string | null;
}

/** The record of the sources. */
export interface SourceRecords {
  /** The window. */
  readonly window: "24h" | "30d" | "1y";
  /** Its beginning. */
  readonly from: string;
  /** Its end, exclusive; at least 15 minutes ago. */
  readonly to: string;
  /** By source, then by instrument. */
  readonly sources: readonly SourceRecord[];
}

/** What one source delivered of one instrument. */
export interface SourceRecord {
  /** The feed's key. */
  readonly source: string;
  /** Name to show. */
  readonly display_name: string;
  /** Who made the figures; sources of one origin are one witness. */
  readonly origin: string;
  /** The class of its terms. */
  readonly license: string;
  /** What it is a price of, in USD. */
  readonly instrument: string;
  /** Seconds between readings in normal operation. */
  readonly cadence_seconds: number;
  /** Cadence slots within open hours, while this service ran. */
  readonly expected: number;
  /** Readings that arrived. */
  readonly received: number;
  /** Readings that passed every rule and agreed with the other witnesses. */
  readonly accepted: number;
  /** Refused readings by rule. */
  readonly refused: Readonly<Record<string, number>>;
  /**
   * Share of expected slots at whose end an accepted reading was less than two cadences old, cut to four decimals; null when none
   * was expected.
   */
  readonly availability: number | null;
  /**
   * How far accepted readings were from the price believed without this source's origin, in bps, rounded up to 0.1 and to two
   * digits; null where no other source had a price.
   */
  readonly deviation_bps: SourceDeviation;
  /** When a reading was last accepted. */
  readonly last_accepted_at: string | null;
  /** The newest 50, newest first. */
  readonly incidents: readonly SourceIncident[];
  /** primary: sets the price; council: sets it while no primary is fresh; reference: never does. */
  readonly role?: "primary" | "council" | "reference";
  /** How long a reading stays fresh: older, and the source is silent. */
  readonly fresh_for_seconds?: number;
}

/**
 * How far accepted readings were from the price believed without this source's origin, in bps, rounded up to 0.1 and to two
 * digits; null where no other source had a price.
 */
export interface SourceDeviation {
  /** Half of the readings were no farther. */
  readonly median: number | null;
  /** 99 of 100 readings were no farther. */
  readonly p99: number | null;
}

/** Open hours without an accepted reading, for longer than one stays fresh. */
export interface SourceIncident {
  /** When its last accepted reading was no longer fresh. */
  readonly from: string;
  /** When it ended; null while it lasts. */
  readonly to: string | null;
  /** silent: no reading; refused: only refused ones. */
  readonly kind: Open<"silent" | "refused">;
}

/** How complete the days of a series are. */
export interface QualityDays {
  /** The series, canonical form. */
  readonly symbol: Open<BarSymbol>;
  /** Newest first. */
  readonly days: readonly DayQuality[];
  /** Metadata of the response. */
  readonly meta: QualityMeta;
}

/** How complete one day is. */
export interface DayQuality {
  /** The UTC day. */
  readonly date: string;
  /**
   * pending: the day is not over, or bars of it are still being filled in; else available: every expected bar is present;
   * missing: none is; degraded: some are not.
   */
  readonly condition: "available" | "degraded" | "pending" | "missing";
  /** Origins with accepted readings on that day; null when that was not recorded. */
  readonly origins: number | null;
  /** The day's closed bars, of the shortest interval that you may read of that day and that is kept as far back. */
  readonly bars: DayBars;
  /**
   * The newest revision of the store that wrote one of them, as /v1/corrections names it; 0 before the ledger began, null without
   * bars.
   */
  readonly last_revision: number | null;
}

/** The day's closed bars, of the shortest interval that you may read of that day and that is kept as far back. */
export interface DayBars {
  /** Bar interval. */
  readonly interval: Interval;
  /** Bars that hold any open hours and have ended. */
  readonly expected: number;
  /** Those that are stored. */
  readonly present: number;
}

/** Metadata of the response. */
export interface QualityMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Days in this response. */
  readonly count: number;
}

/** The futures curve beside the spot price. */
export interface ForwardView {
  /** Metal code. */
  readonly asset: Open<Metal>;
  /** The spot price, in USD per ounce, copper per pound. */
  readonly spot_usd: string;
  /** When the spot price was computed. */
  readonly computed_at: string;
  /** By date. */
  readonly horizons: readonly Horizon[];
  /** Where the settlements come from. */
  readonly sources: readonly ForwardSource[];
  /** Everything missing or late, with its contract. */
  readonly errors: readonly string[];
}

/** One contract of the curve. */
export interface Horizon {
  /** The contract's last day of trading. */
  readonly expiry: string;
  /** Null when no settlement of the contract is known. */
  readonly futures: FuturesBlock | null;
  /** What is missing or late here. */
  readonly errors: readonly string[];
}

/** What is known of a horizon's contract. */
export interface FuturesBlock {
  /** The contract: product, month code, year. */
  readonly contract: string;
  /** Its newest settlement, in USD per ounce, copper per pound. */
  readonly settle_usd: string;
  /** The feed's key. */
  readonly settle_source: string;
  /** How old the settlement is. */
  readonly settle_age_seconds: number;
  /** Contracts open. */
  readonly open_interest: number | null;
  /** Contracts traded on that day. */
  readonly volume: number | null;
}

/** Where settlements come from. */
export interface ForwardSource {
  /** The feed's key. */
  readonly id: string;
  /** Who publishes the figures. */
  readonly publisher: string;
  /** A page about them; empty if there is none. */
  readonly url: string;
  /** When the newest of them was taken in. */
  readonly retrieved_at: string | null;
  /** Always futures. */
  readonly type: "futures";
}

/** An amount converted, and the rate it was converted at. */
export interface Conversion {
  /** Source code. */
  readonly from: Open<Convertible>;
  /** Target code. */
  readonly to: Open<Convertible>;
  /** How much of `from`. */
  readonly amount: string;
  /** Value of one unit of `from` in `to`, up to 18 significant digits. */
  readonly rate: string;
  /**
   * amount × rate, rounded half up to the target's minor units; metals 6 decimals. A result below the last of them has four
   * significant digits instead.
   */
  readonly result: string;
  /** Weight unit of the metal side. */
  readonly unit: Open<WeightUnit>;
  /** The metal price's moment; for two currencies that of the `to` leg. */
  readonly timestamp: string;
  /** Why the figure is stale, as in spot rows; only when it is. */
  readonly stale_reason?: "market_closed" | "feed_down" | "fx_fallback";
  /**
   * Between a metal and a currency, with include=sources and in receipts: the price in USD per ounce or pound, with every digit:
   * times `fx_rate` it is the price to its last digit.
   */
  readonly price_usd?: string;
  /**
   * Between a metal and a currency, with include=sources and in receipts, outside USD: units of the currency for one USD that
   * stood when the price was published, up to 18 significant digits.
   */
  readonly fx_rate?: string;
  /** Between a metal and a currency, with include=sources and in receipts, outside USD: where the rate comes from. */
  readonly fx_source?: string;
  /** Between a metal and a currency, with include=sources and in receipts, outside USD: what the rate is. */
  readonly fx_role?: "live" | "reference" | "peg";
  /**
   * Between a metal and a currency, with include=sources and in receipts, outside USD: when the rate was published; of a peg the
   * price's own moment.
   */
  readonly fx_at?: string;
}

/** Gold per gram by karat, 4 decimals, in one currency. */
export interface KaratPrices {
  /** The currency. */
  readonly currency: Open<Currency>;
  /** The gold price's moment. */
  readonly timestamp: string;
  /** Price per gram of 24 karat gold, in the currency. */
  readonly price_gram_24k: string;
  /** Price per gram of 22 karat gold, in the currency. */
  readonly price_gram_22k: string;
  /** Price per gram of 21 karat gold, in the currency. */
  readonly price_gram_21k: string;
  /** Price per gram of 20 karat gold, in the currency. */
  readonly price_gram_20k: string;
  /** Price per gram of 18 karat gold, in the currency. */
  readonly price_gram_18k: string;
  /** Price per gram of 16 karat gold, in the currency. */
  readonly price_gram_16k: string;
  /** Price per gram of 14 karat gold, in the currency. */
  readonly price_gram_14k: string;
  /** Price per gram of 10 karat gold, in the currency. */
  readonly price_gram_10k: string;
  /**
   * With include=sources and in receipts: the price in USD per ounce or pound, with every digit: times `fx_rate` it is the price
   * to its last digit.
   */
  readonly price_usd?: string;
  /**
   * With include=sources and in receipts, outside USD: units of the currency for one USD that stood when the price was published,
   * up to 18 significant digits.
   */
  readonly fx_rate?: string;
  /** With include=sources and in receipts, outside USD: where the rate comes from. */
  readonly fx_source?: string;
  /** With include=sources and in receipts, outside USD: what the rate is. */
  readonly fx_role?: "live" | "reference" | "peg";
  /** With include=sources and in receipts, outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fx_at?: string;
  /** Why the figures are stale, as in spot rows; only when they are. */
  readonly stale_reason?: "market_closed" | "feed_down" | "fx_fallback";
}

/** The prices of pieces. */
export interface Bill {
  /** Currency of every amount, ISO 4217. */
  readonly currency: Open<CounterCurrency>;
  /** When the prices were computed; of several metals, the oldest. */
  readonly computed_at: string;
  /** Until when the prices are held; absent without `hold_minutes`. */
  readonly valid_until?: string;
  /** What the pieces were priced with: one for each metal and side. */
  readonly prices: readonly QuotedMetal[];
  /** The pieces, in the order given. */
  readonly items: readonly QuotedPiece[];
  /** Sums of what the pieces show, over those with a price. */
  readonly totals: BillTotals;
}

/** What pieces of a metal were priced with. */
export interface QuotedMetal {
  /** Metal code. */
  readonly metal: Open<Metal>;
  /** The pieces it prices: those you sell, or those you buy. */
  readonly side: "sell" | "buy";
  /** What it is made from: the ask or the bid, or the price while there is neither. */
  readonly basis: "ask" | "bid" | "price";
  /** That figure in USD, with every digit, per `unit_grams`. */
  readonly price_usd: string;
  /** Grams of the unit that metal is priced in. */
  readonly unit_grams: string;
  /**
   * A gram of pure metal in the currency: price_usd / unit_grams × fx_rate, and × (1 + premium_percent / 100), up to 18
   * significant digits.
   */
  readonly price_per_fine_gram: string;
  /** That of the basis; absent when none was asked for. */
  readonly premium_percent?: string;
  /** Units of the currency for one USD, up to 18 significant digits. */
  readonly fx_rate: string;
  /** Where the rate comes from. */
  readonly fx_source: string;
  /** Outside USD: what the rate is. */
  readonly fx_role?: "live" | "reference" | "peg";
  /** Outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fx_at?: string;
  /** When this price was computed, and the rate stood beside it. */
  readonly computed_at?: string;
  /** True when price or rate is outside its freshness window. */
  readonly is_stale: boolean;
  /** Why it is stale; only when it is. */
  readonly stale_reason?: "market_closed" | "feed_down" | "fx_fallback";
}

/**
 * A piece with its price, or with the reason why it has none. metal_value, margin, making, charges, tax and rounding add up to
 * total.
 */
export interface QuotedPiece {
  /** As given; absent when none was. */
  readonly id?: string;
  /** As given. */
  readonly metal?: Open<Metal>;
  /** Which of `prices` it was priced with. */
  readonly side?: "sell" | "buy";
  /** Whether that price is outside its freshness window. */
  readonly is_stale?: boolean;
  /** Pure metal in it, six decimals. */
  readonly fine_weight_grams?: string;
  /** Fine weight × price of a fine gram, rounded half up once to the currency's minor units. */
  readonly metal_value?: string;
  /** Of the metal's value; below zero for what you buy, rounded half up once to the currency's minor units. */
  readonly margin?: string;
  /** What the shop charges for its work; below zero for what you buy, rounded half up once to the currency's minor units. */
  readonly making?: string;
  /** The charges, in the order given; absent when none were. */
  readonly charges?: readonly QuotedCharge[];
  /** Tax, that of charges included, rounded half up once to the currency's minor units. */
  readonly tax?: string;
  /** The exact sum of them all, rounded once to `round_to`. */
  readonly total?: string;
  /** Why a piece has no price. */
  readonly error?: PieceError;
  /** What the lines above lack of `total`; absent when that is nothing. */
  readonly rounding?: string;
  /** Weight of the whole piece in grams, exact. */
  readonly weight_grams?: string;
  /** What was asked of a piece, besides its id, metal and side. */
  readonly asked?: AskedPiece;
}

/** A line of the bill. */
export interface QuotedCharge {
  /** As given. */
  readonly name: string;
  /** The charge; below zero for what you buy, rounded half up once to the currency's minor units. */
  readonly amount: string;
  /** Its own tax, part of the `tax` of the piece; absent when it has none, rounded half up once to the currency's minor units. */
  readonly tax?: string;
}

/** Why a piece has no price. */
export interface PieceError {
  /** Machine code, one of the error table. */
  readonly code: "validation_error" | "plan_gated" | "spot_unavailable";
  /** What is expected. */
  readonly message: string;
  /** Where it is in the request. */
  readonly path: string;
}

/** What was asked of a piece, besides its id, metal and side. */
export interface AskedPiece {
  /** As given. */
  readonly weight: string;
  /** Unit of the weight. */
  readonly unit: Open<Unit>;
  /** As given; pure metal when neither this nor `fineness` is there. */
  readonly karat?: number;
  /** As given. */
  readonly fineness?: string;
  /** As given. */
  readonly margin_percent?: string;
  /** As given. */
  readonly making?: AskedMaking;
  /** As given. */
  readonly charges?: readonly AskedCharge[];
  /** As given. */
  readonly tax_percent?: string;
  /** What is taxed. */
  readonly tax_on: "all" | "making" | "none";
  /** As given; the currency's smallest unit when absent. */
  readonly round_to?: string;
}

/** As given. */
export interface AskedMaking {
  /** Amount per gram of the whole piece. */
  readonly per_gram?: string;
  /** Percent. */
  readonly percent?: string;
  /** An amount for the piece. */
  readonly fixed?: string;
}

/** As given. */
export interface AskedCharge {
  /** As given. */
  readonly name: string;
  /** Amount per gram of the whole piece. */
  readonly per_gram?: string;
  /** Percent. */
  readonly percent?: string;
  /** An amount for the piece. */
  readonly fixed?: string;
  /** As given; metal when absent. */
  readonly of?: "metal" | "metal_and_margin" | "running";
  /** As given. */
  readonly tax_percent?: string;
}

/** Sums of what the pieces show, over those with a price. */
export interface BillTotals {
  /** Of both sides together. */
  readonly metal_value: string;
  /** Of both sides together. */
  readonly making: string;
  /** Of both sides together. */
  readonly tax: string;
  /** Of both sides together: what is owed is `due`. */
  readonly total: string;
  /** Sums of the pieces you sell, or of those you buy. */
  readonly sell: SideTotals;
  /** Sums of the pieces you sell, or of those you buy. */
  readonly buy: SideTotals;
  /** sell.total − buy.total: what the customer pays; below zero, what you pay the customer. */
  readonly due: string;
}

/** Sums of the pieces you sell, or of those you buy. */
export interface SideTotals {
  /** Sum of the lines. */
  readonly metal_value: string;
  /** Sum of the lines; below zero for what you buy. */
  readonly margin: string;
  /** Sum of `making` and `charges`; below zero for what you buy. */
  readonly charges: string;
  /** Sum of the lines. */
  readonly tax: string;
  /** Sum of the lines; absent when that is nothing. */
  readonly rounding?: string;
  /** Sum of the totals, and of the lines above: what is paid for the pieces of this side. */
  readonly total: string;
}

/** What is known of a receipt. */
export interface ReceiptCheck {
  /** Whether it names a key of this service. */
  readonly is_ours: boolean;
  /** Whether that key signed it as it is. */
  readonly is_unaltered: boolean;
  /** Whether it is genuine, and its prices are held at this moment. */
  readonly is_held: boolean;
  /** When this was checked. */
  readonly checked_at: string;
  /** Until when its prices are held; absent when they never were, or it is not genuine. */
  readonly valid_until?: string;
  /** When it was signed; absent when it is not genuine. */
  readonly issued_at?: string;
  /** The request it answered; absent when it is not genuine. */
  readonly request_id?: string;
  /** The route that was called; absent when it is not genuine. */
  readonly route?: string;
  /** Whether its prices were made up; absent when it is not genuine. */
  readonly simulated?: boolean;
}

/** The countries with dealers. */
export interface PhysicalIndex {
  /** By country code. */
  readonly countries: readonly PhysicalCountry[];
  /** When this answer was made. */
  readonly computed_at: string;
  /** Metadata of the response. */
  readonly meta: PhysicalMeta;
}

/** A country, and how fresh its dealers are. */
export interface PhysicalCountry {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: "AE" | "CN" | "EG" | "HK" | "ID" | "IN" | "JP" | "MY" | "NP" | "PK" | "SA" | "VN";
  /** The country. */
  readonly name: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Sources that have reported. */
  readonly sources: number;
  /** Latest quotes. */
  readonly quotes: number;
  /** The freshest fetch; null when there was none. */
  readonly last_fetched_at: string | null;
  /** Past its freshness window. */
  readonly is_stale: boolean;
}

/** Metadata of the response. */
export interface PhysicalMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Countries in this response. */
  readonly count: number;
}

/** A country's dealer quotes beside spot. */
export interface PhysicalQuotes {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: "AE" | "CN" | "EG" | "HK" | "ID" | "IN" | "JP" | "MY" | "NP" | "PK" | "SA" | "VN";
  /** The country. */
  readonly name: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Null when there is no spot price. */
  readonly spot_reference: SpotReference | null;
  /** The latest quote of each product. */
  readonly quotes: readonly DealerQuote[];
  /** Failing sources, with the reason. */
  readonly errors: readonly string[];
  /** Metadata of the response. */
  readonly meta: PhysicalCountryMeta;
}

/** Spot, and the rate to the local currency. */
export interface SpotReference {
  /** The spot symbol. */
  readonly symbol: string;
  /** Spot in USD per troy ounce. */
  readonly price_usd: string;
  /** Units of the currency for one USD; null when no rate is known. */
  readonly fx_rate: string | null;
  /** The source of the rate. */
  readonly fx_source: string | null;
  /** Spot per gram in the currency; null when no rate is known. */
  readonly price_local_per_gram: string | null;
  /** When spot was computed. */
  readonly computed_at: string;
  /** Whether spot or the rate is stale, as in spot rows. */
  readonly is_stale: boolean;
}

/** What a dealer asks and pays for one product. */
export interface DealerQuote {
  /** Identifies a product of a source. */
  readonly id: string;
  /** Who reported it. */
  readonly source: string;
  /** The dealer. */
  readonly dealer: string;
  /** Who sets the price. */
  readonly kind: "dealer" | "board" | "benchmark";
  /** The metal. */
  readonly metal: "XAU";
  /** What is sold, as the dealer names it. */
  readonly product: string;
  /** The form the metal comes in. */
  readonly form: "bar" | "coin" | "jewellery" | "reference";
  /** Purity in parts of 24; null if only the fineness is stated. */
  readonly karat: number | null;
  /** Purity as a share of 1: as the dealer states it, else karat / 24 with 24 as 0.999. */
  readonly fineness: string;
  /** Weight of the product. */
  readonly weight: string;
  /** Unit of the weight. */
  readonly weight_unit: Open<DealerWeightUnit>;
  /** Weight of the product in grams. */
  readonly weight_grams: string;
  /** What a customer pays for the product; null where the dealer does not say. */
  readonly sell_price: string | null;
  /** What a customer is paid for it; null where the dealer does not say. */
  readonly buyback_price: string | null;
  /** What a customer pays for a gram of pure metal; null without a sell price. */
  readonly price_per_fine_gram: string | null;
  /** (sell per fine gram / spot per gram − 1) × 10 000; null when a leg is missing. */
  readonly premium_over_spot_bps: number | null;
  /** The same of the buyback price, mostly below zero; null when a leg is missing. */
  readonly buyback_premium_bps: number | null;
  /** Sell less buyback in bps of spot; null when a leg is missing. */
  readonly spread_bps: number | null;
  /** Whether the sell price includes sales tax; false also where none applies or nothing is stated. */
  readonly tax_included: boolean;
  /** Where it is published. */
  readonly source_url: string;
  /** When the dealer says so. */
  readonly quoted_at: string;
  /** When it was last read. */
  readonly fetched_at: string;
  /** Past its freshness window. */
  readonly is_stale: boolean;
}

/** Metadata of the response. */
export interface PhysicalCountryMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Quotes in this response. */
  readonly count: number;
}

/** The probability distribution of a metal on a day. */
export interface Surface {
  /** The metal. */
  readonly metal: Open<SurfaceMetal>;
  /** The day, UTC. */
  readonly horizon: string;
  /** Whether it is the default horizon. */
  readonly is_default_horizon: boolean;
  /** Spot in USD per troy ounce. */
  readonly spot_usd: string;
  /** Forward in USD per troy ounce; null without options. */
  readonly forward_usd: string | null;
  /** Percentiles of the distribution, non-decreasing. */
  readonly percentiles: SurfacePercentiles;
  /** By increasing strike. */
  readonly points: readonly SurfacePoint[];
  /** The venues behind it. */
  readonly venues: readonly SurfaceVenue[];
  /** How reliable it is. */
  readonly confidence: "high" | "medium" | "low";
  /** True with few quotes or wide spreads. */
  readonly thin_liquidity: boolean;
  /** How it was computed. */
  readonly method: "lognormal_kernels" | "isotonic_ladder" | "blend";
  /** Caveats. */
  readonly flags: readonly SurfaceFlag[];
  /** When it was computed. */
  readonly computed_at: string;
  /** Age of the oldest data it is made from, in seconds. */
  readonly snapshot_age_seconds: number;
  /** Disclaimer. */
  readonly disclaimer: string;
}

/** Percentiles of the distribution, non-decreasing. */
export interface SurfacePercentiles {
  /** The price with 10 % of the probability below it, in USD per troy ounce. */
  readonly p10: string;
  /** The price with 25 % of the probability below it, in USD per troy ounce. */
  readonly p25: string;
  /** The price with 50 % of the probability below it, in USD per troy ounce. */
  readonly p50: string;
  /** The price with 75 % of the probability below it, in USD per troy ounce. */
  readonly p75: string;
  /** The price with 90 % of the probability below it, in USD per troy ounce. */
  readonly p90: string;
}

/** One strike of a surface. */
export interface SurfacePoint {
  /** USD per troy ounce. */
  readonly strike: string;
  /** The probability of ending above the strike; it never rises with the strike. */
  readonly prob_above: number;
  /**
   * The venues' own prices before any smoothing, so they may be out of order or outside 0 to 1; null if no venue quotes this
   * strike.
   */
  readonly raw_prob_above: number | null;
  /** Venues whose quotes reach this strike. */
  readonly sources: readonly string[];
  /** True beyond what any venue quotes. */
  readonly extrapolated: boolean;
}

/** A venue behind a surface. */
export interface SurfaceVenue {
  /** The venue. */
  readonly venue: string;
  /** What it trades. */
  readonly type: "options" | "prediction_market";
  /** Two-sided quotes that were used. */
  readonly markets_used: number;
  /** Dollars traded, as the venue reports it; null if it does not. */
  readonly volume_usd: string | null;
  /** When its quotes were read. */
  readonly retrieved_at: string;
}

/** The days a metal has a surface for. */
export interface HorizonIndex {
  /** The metal. */
  readonly metal: Open<SurfaceMetal>;
  /** The horizon used when none is named. */
  readonly default_horizon: string;
  /** By date. */
  readonly horizons: readonly SurfaceHorizon[];
  /** Metadata of the response. */
  readonly meta: ExpiriesMeta;
}

/** One day there is a surface for. */
export interface SurfaceHorizon {
  /** The day, UTC. */
  readonly horizon: string;
  /** Days from now to the expiry. */
  readonly days_to_expiry: number;
  /** Two-sided quotes behind it. */
  readonly markets_count: number;
  /** The venues behind it. */
  readonly venues: readonly string[];
  /** Age of the oldest data it is made from, in seconds. */
  readonly snapshot_age_seconds: number;
}

/** Metadata of the response. */
export interface ExpiriesMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Horizons in this response. */
  readonly count: number;
}

/** The current edges of a metal. */
export interface ArbitrageSignals {
  /** The metal. */
  readonly metal: Open<SurfaceMetal>;
  /** Largest net edge first. */
  readonly signals: readonly ArbitrageSignal[];
}

/** An edge that can be traded. */
export interface ArbitrageSignal {
  /** Stays the same while the edge lasts. */
  readonly id: string;
  /** The day both markets settle, UTC. */
  readonly horizon_target: string;
  /** `digital`: the same strike. `ladder`: the strike bought is below the one sold. */
  readonly type: "digital" | "ladder";
  /** The strike bought, in USD per troy ounce. */
  readonly strike: string;
  /** What is bought, and where. */
  readonly buy: SignalBuy;
  /** What is sold, and where. */
  readonly sell: SignalSell;
  /** Sell over buy, in bps of the payout. */
  readonly gross_edge_bps: number;
  /** Fees of both venues, in bps of the payout. */
  readonly fees_bps: number;
  /** What is left, in bps of the payout. */
  readonly net_edge_bps: number;
  /** Payout in dollars that can be traded at these prices. */
  readonly executable_size_usd: string;
  /** When the edge was first seen. */
  readonly detected_at: string;
}

/** What is bought, and where. */
export interface SignalBuy {
  /** The venue. */
  readonly venue: string;
  /** The venue's own name for the market. */
  readonly market_id: string;
  /** The side of the market that the price refers to. */
  readonly side: "yes" | "no";
  /** Average price paid, in dollars for a contract that pays one. */
  readonly price: string;
  /** Payout in dollars available at the prices used. */
  readonly size_usd: string;
}

/** What is sold, and where. */
export interface SignalSell {
  /** The venue. */
  readonly venue: string;
  /** The venue's own name for the market. */
  readonly market_id: string;
  /** The side of the market that the price refers to. */
  readonly side: "yes" | "no";
  /** Average price received, in dollars for a contract that pays one. */
  readonly price: string;
  /** Payout in dollars available at the prices used. */
  readonly size_usd: string;
}

/** A listed key; the key itself is never shown again. */
export interface Key {
  /** Key id. */
  readonly id: string;
  /** The first 16 characters of the key. */
  readonly key_prefix: string;
  /** The key's name. */
  readonly name: string;
  /** When the key was minted. */
  readonly created_at: string;
  /** Last use, to the minute or so. */
  readonly last_used_at: string | null;
  /** When it stops or stopped authenticating; in the future during grace. */
  readonly revoked_at: string | null;
  /** When the key ends by itself, as the operator set it; until then it may do everything. Absent for a key without an end. */
  readonly expires_at?: string;
}

/** A new key; the only response with the whole key. */
export interface MintedKey {
  /** Key id. */
  readonly id: string;
  /** The whole key, returned only once. */
  readonly plaintext: string;
  /** The first 16 characters of the key. */
  readonly key_prefix: string;
  /** When the key was minted. */
  readonly created_at: string;
  /** When the calling key stops authenticating. */
  readonly previous_key_revokes_at: string | null;
  /** When the key ends by itself, as the operator set it; until then it may do everything. Absent for a key without an end. */
  readonly expires_at?: string;
}

/** Metered calls of an organisation, by UTC calendar. */
export interface Usage {
  /** Metered calls today. */
  readonly calls_today: number;
  /** Metered calls this month. */
  readonly calls_this_month: number;
  /** Streams open now; null when the tier has none. */
  readonly active_streams: number | null;
  /** Streams allowed; null when the tier has none. */
  readonly max_streams: number | null;
  /** Your tier. */
  readonly tier: TierName;
  /** Metered calls allowed per month. */
  readonly monthly_quota: number;
  /** Metered calls left this month. */
  readonly remaining_this_month: number;
  /** When the next month begins. */
  readonly resets_at: string;
  /**
   * Every day of this month up to today, oldest first: today as in `calls_today`, earlier days as stored; null while the store
   * does not respond.
   */
  readonly days: readonly DayUsage[] | null;
}

/** Metered calls of one UTC day. */
export interface DayUsage {
  /** The UTC day. */
  readonly date: string;
  /** Metered calls on that day. */
  readonly calls: number;
}

/** The alerts of an organisation. */
export interface AlertList {
  /** Newest first. */
  readonly alerts: readonly Alert[];
  /** Alerts that your tier allows. */
  readonly max_alerts: number;
}

/** A price alert: its condition, its endpoint, and whether it has fired. */
export interface Alert {
  /** Alert id. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Its symbol, canonical form. */
  readonly symbol: string;
  /** What it watches for. */
  readonly kind: "above" | "below" | "moved" | "stale";
  /** As given; null for stale. */
  readonly threshold: string | null;
  /** The length of the window; null except for moved. */
  readonly window_seconds: number | null;
  /** Which way the price has to move; null except for moved. */
  readonly direction: "up" | "down" | "either" | null;
  /** Whether it fires once and ends. */
  readonly once: boolean;
  /** Where its events are sent. */
  readonly endpoint_id: string;
  /**
   * armed: it fires when its condition becomes true. waiting: it is true already, or fired, and has to become false first. stale:
   * it reported that the symbol is stale. fired: it fired once and ended.
   */
  readonly state: "armed" | "waiting" | "fired" | "stale";
  /**
   * Why it is not judged now: suspended (by the operator), tier (yours no longer includes the symbol) or limit (yours includes
   * fewer alerts, and the newest are paused). It goes on as if it was made then.
   */
  readonly paused_reason: Open<"suspended" | "tier" | "limit"> | null;
  /** When it last fired; null when it has not. */
  readonly last_fired_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it was last changed by its owner. */
  readonly updated_at: string;
}

/** An alert that was made or changed. */
export interface ChangedAlert {
  /** Alert id. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Its symbol, canonical form. */
  readonly symbol: string;
  /** What it watches for. */
  readonly kind: "above" | "below" | "moved" | "stale";
  /** As given; null for stale. */
  readonly threshold: string | null;
  /** The length of the window; null except for moved. */
  readonly window_seconds: number | null;
  /** Which way the price has to move; null except for moved. */
  readonly direction: "up" | "down" | "either" | null;
  /** Whether it fires once and ends. */
  readonly once: boolean;
  /** Where its events are sent. */
  readonly endpoint_id: string;
  /**
   * armed: it fires when its condition becomes true. waiting: it is true already, or fired, and has to become false first. stale:
   * it reported that the symbol is stale. fired: it fired once and ended.
   */
  readonly state: "armed" | "waiting" | "fired" | "stale";
  /**
   * Why it is not judged now: suspended (by the operator), tier (yours no longer includes the symbol) or limit (yours includes
   * fewer alerts, and the newest are paused). It goes on as if it was made then.
   */
  readonly paused_reason: Open<"suspended" | "tier" | "limit"> | null;
  /** When it last fired; null when it has not. */
  readonly last_fired_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it was last changed by its owner. */
  readonly updated_at: string;
  /** Whether its condition holds already at the price that you see: it then fires only after it was false. */
  readonly already_true: boolean;
}

/** The endpoints of an organisation. */
export interface EndpointList {
  /** Newest first. */
  readonly endpoints: readonly Endpoint[];
}

/** Where events are sent. */
export interface Endpoint {
  /** Endpoint id. */
  readonly id: string;
  /** Where events are posted. */
  readonly url: string;
  /** When it was made. */
  readonly created_at: string;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failing_since: string | null;
  /** Since when nothing is sent any more; null while events are sent. */
  readonly disabled_at: string | null;
  /**
   * Why nothing is sent: gone (it answered 410) or failing (everything failed for a week). A test that succeeds enables it again.
   */
  readonly disabled_reason: Open<"gone" | "failing"> | null;
}

/** A new endpoint, with its secret. */
export interface MadeEndpoint {
  /** Endpoint id. */
  readonly id: string;
  /** Where events are posted. */
  readonly url: string;
  /** When it was made. */
  readonly created_at: string;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failing_since: string | null;
  /** Since when nothing is sent any more; null while events are sent. */
  readonly disabled_at: string | null;
  /**
   * Why nothing is sent: gone (it answered 410) or failing (everything failed for a week). A test that succeeds enables it again.
   */
  readonly disabled_reason: Open<"gone" | "failing"> | null;
  /** Verifies the signatures of events, as Standard Webhooks has it; returned only here. */
  readonly secret: string;
}

/** A test event that is on its way. */
export interface TestSent {
  /** The delivery, to look it up. */
  readonly delivery_id: string;
}

/** A new secret of an endpoint. */
export interface RotatedSecret {
  /** Endpoint id. */
  readonly id: string;
  /** Verifies the signatures of events, as Standard Webhooks has it; returned only here. */
  readonly secret: string;
  /** Until when the previous secret signs as well. */
  readonly previous_secret_until: string;
}

/** One page of deliveries, newest first. */
export interface DeliveriesPage {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** Cursor of the next older page; null when there are no more. */
  readonly next_cursor: string | null;
}

/** An event, and what became of it. */
export interface Delivery {
  /** The event's webhook-id, the same in every try. */
  readonly id: string;
  /** The event's type. */
  readonly type: Open<WebhookType>;
  /** The alert; null for a test. */
  readonly alert_id: string | null;
  /** Where it is sent. */
  readonly endpoint_id: string;
  /** pending: it is tried, or will be. delivered: the endpoint answered 2xx. failed: it is not tried any more. */
  readonly status: "pending" | "delivered" | "failed";
  /** How often it was tried. */
  readonly tries: number;
  /** When the event happened, with milliseconds. */
  readonly created_at: string;
  /** When it is tried next; null unless it is pending. */
  readonly next_try_at: string | null;
  /** When it was last tried; null when it was not yet. */
  readonly last_try_at: string | null;
  /** The HTTP status of the last try; null when there was no answer. */
  readonly last_status: number | null;
  /** Why the last try failed; null when it did not. */
  readonly last_error: string | null;
  /** The body as it is sent and signed; empty while your tier does not see its price. */
  readonly payload: string;
}

/** What prices stand on, where the local market is above or below spot. */
export interface QuotesCreateBasis {
  /** Percent that is added to every price; below zero it is taken off. */
  readonly premium_percent: string;
}

/** A piece of metal, and how its price is made. */
export interface Piece {
  /** Your name for it; answered as it is. */
  readonly id?: string;
  /** Metal code; its name is read as well. */
  readonly metal: Open<Metal>;
  /** Weight of the whole piece. */
  readonly weight: string;
  /** Unit of the weight. */
  readonly unit: Open<Unit>;
  /** Purity in parts of 24, gold only, 22K as well; pure metal when neither this nor `fineness` is given. */
  readonly karat?: number;
  /** Purity in parts of 1000, above 100, instead of `karat`. */
  readonly fineness?: number | string;
  /** Whether you sell or buy it; priced from the ask when you sell, from the bid when you buy. Default `sell`. */
  readonly side?: "sell" | "buy";
  /** Percent of the metal's value; added to what you sell, taken off what you buy. */
  readonly margin_percent?: string;
  /** What a shop adds for its work, in one of three ways. */
  readonly making?: Making;
  /** Further lines of the bill, in their order; at most 8. */
  readonly charges?: readonly Charge[];
  /** Percent of `tax_on`. */
  readonly tax_percent?: string;
  /**
   * What is taxed; value, margin, making and charges without a tax of their own together, making alone, or nothing. Default
   * `all`.
   */
  readonly tax_on?: "all" | "making" | "none";
  /** Step the total is rounded to; the currency's smallest unit when left out. */
  readonly round_to?: string;
}

/** What a shop adds for its work, in one of three ways. */
export interface Making {
  /** Amount per gram; of the whole piece's weight. */
  readonly per_gram?: string;
  /** Percent of the metal's value. */
  readonly percent?: string;
  /** An amount. */
  readonly fixed?: string;
}

/** A further line of the bill, in one of three ways: wastage, a hallmark, stones. */
export interface Charge {
  /** Its name on the bill; 1 to 32 letters, digits, blanks, - and _, beginning with a letter. */
  readonly name: string;
  /** Amount per gram; of the whole piece's weight. */
  readonly per_gram?: string;
  /** Percent of `of`. */
  readonly percent?: string;
  /** An amount. */
  readonly fixed?: string;
  /**
   * What `percent` is taken of; the metal's value, that and the margin, or all lines before this one, making included; metal when
   * left out.
   */
  readonly of?: "metal" | "metal_and_margin" | "running";
  /** Its own tax in percent; `tax_percent` of the piece is then not taken of it. */
  readonly tax_percent?: string;
}

/** One invalid parameter. */
export interface ValidationIssue {
  /** Where the parameter is, for example query, limit. */
  readonly path: readonly (string | number)[];
  /** The kind of error. */
  readonly code: string;
  /** What is expected. */
  readonly message: string;
}

/** Parameters of `GET /v1/prices`. */
export interface PricesListQuery {
  /** One symbol or alias; by default every symbol of the tier. */
  readonly symbol?: Open<SpotName>;
  /** Groups to add, comma-separated: sources, karat, stats, all. Unknown ones are ignored; anonymous callers do not get stats. */
  readonly include?: string;
}

/** Parameters of `GET /v1/prices/divergence`. */
export interface PricesDivergenceQuery {
  /** Threshold in basis points. Default `50`. */
  readonly threshold?: number;
}

/** Parameters of `GET /v1/prices/history`. */
export interface PricesHistoryQuery {
  /** A series with bars. */
  readonly symbol: string;
  /** First day, inclusive. */
  readonly from: string;
  /** Last day, inclusive. */
  readonly to: string;
  /** 1h needs Pro. Default `1d`. */
  readonly interval?: "1d" | "1h";
  /** At most this many rows. Default `100`. */
  readonly limit?: number;
}

/** Parameters of `GET /v1/spot/{symbol}`. */
export interface SpotGetQuery {
  /** Symbol or alias. */
  readonly symbol: Open<SpotName>;
  /** Groups to add, comma-separated: sources, karat, stats, all. Unknown ones are ignored; anonymous callers do not get stats. */
  readonly include?: string;
  /**
   * A past instant, ISO-8601: the price that stood then. A bare date is the close of that UTC day. Of the groups, karat alone.
   */
  readonly at?: string;
}

/** Parameters of `GET /v1/bars`. */
export interface BarsListQuery {
  /**
   * A series with bars, in dash or slash form (XAU-USD-SPOT, XAU/USD): XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, GC, SI, HG, GLD.
   */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. Default `1d`. */
  readonly interval?: Interval;
  /** First bar_start, ISO-8601, inclusive. A bare date is its UTC midnight. */
  readonly from: string;
  /** Last bar_start, ISO-8601, inclusive. A bare date is the whole UTC day. */
  readonly to: string;
  /** At most this many rows. Default `100`. */
  readonly limit?: number;
  /** next_cursor of the previous page; opaque. */
  readonly cursor?: string;
  /** desc, newest first, or asc, oldest first; the same for every page of a walk. Default `desc`. */
  readonly order?: "desc" | "asc";
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly known_at?: string;
}

/** Parameters of `GET /v1/bars/latest`. */
export interface BarsLatestQuery {
  /**
   * A series with bars, in dash or slash form (XAU-USD-SPOT, XAU/USD): XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, GC, SI, HG, GLD.
   */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. Default `1d`. */
  readonly interval?: Interval;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly known_at?: string;
}

/** Parameters of `GET /v1/download`. */
export interface DownloadsLinkQuery {
  /**
   * A series with bars, in dash or slash form (XAU-USD-SPOT, XAU/USD): XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, GC, SI, HG, GLD.
   */
  readonly symbol: Open<BarSymbol>;
  /** UTC calendar year, from 1996 to the current one; an earlier one if the service has bars of it. */
  readonly year: number;
  /** Bar interval. Default `1d`. */
  readonly interval?: Interval;
  /** Format of the archive. Default `parquet`. */
  readonly fmt?: "parquet" | "csv";
}

/** Parameters of `GET /v1/ratios`. */
export interface RatiosListQuery {
  /** One of gold-silver, gold-platinum, silver-platinum, gold-palladium, gld-xau. */
  readonly pair: Open<RatioPair>;
  /** First day, inclusive, YYYY-MM-DD. */
  readonly from: string;
  /** Last day, inclusive, YYYY-MM-DD. */
  readonly to: string;
  /** At most this many rows. Default `100`. */
  readonly limit?: number;
  /** next_cursor of the previous page; opaque. */
  readonly cursor?: string;
  /** desc, newest first, or asc, oldest first; the same for every page of a walk. Default `desc`. */
  readonly order?: "desc" | "asc";
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly known_at?: string;
}

/** Parameters of `GET /v1/ratios/latest`. */
export interface RatiosLatestQuery {
  /** One of gold-silver, gold-platinum, silver-platinum, gold-palladium, gld-xau. */
  readonly pair: Open<RatioPair>;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly known_at?: string;
}

/** Parameters of `GET /v1/series`. */
export interface SeriesListQuery {
  /** A metal in a currency, in dash or slash form, or an alias, which is in USD. */
  readonly symbol: Open<Cross>;
  /** Unit of weight the price is of. Default `troy_ounce`. */
  readonly unit?: Open<Unit>;
  /** Purity in parts of 24, gold only; pure metal when neither this nor `fineness` is given. */
  readonly karat?: number;
  /** Purity in parts of 1000, above 100, instead of `karat`. */
  readonly fineness?: number;
  /** First day, inclusive, YYYY-MM-DD. */
  readonly from: string;
  /** Last day, inclusive, YYYY-MM-DD. */
  readonly to: string;
  /** At most this many rows. Default `100`. */
  readonly limit?: number;
  /** next_cursor of the previous page; opaque. */
  readonly cursor?: string;
  /** desc, newest first, or asc, oldest first; the same for every page of a walk. Default `desc`. */
  readonly order?: "desc" | "asc";
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly known_at?: string;
}

/** Parameters of `GET /v1/settlements`. */
export interface SettlementsListQuery {
  /** GC, SI or HG. */
  readonly symbol: Open<FuturesSymbol>;
  /** First day, inclusive, YYYY-MM-DD; 30 days before `to` when left out. */
  readonly from?: string;
  /** Last day, inclusive, YYYY-MM-DD; today when left out. */
  readonly to?: string;
  /** At most this many rows, the newest of the window. Default `30`. */
  readonly limit?: number;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly known_at?: string;
}

/** Parameters of `GET /v1/corrections`. */
export interface CorrectionsListQuery {
  /** Only this series, product or reference rate. */
  readonly symbol?: Open<BarSymbol>;
  /**
   * Only corrections with a greater number: next_since of the page before. Or those recorded from an instant on, ISO-8601; a bare
   * date is its UTC midnight. Default `0`.
   */
  readonly since?: number | string;
  /** At most this many rows. Default `100`. */
  readonly limit?: number;
}

/** Parameters of `GET /v1/sources`. */
export interface SourcesListQuery {
  /** How far back; of 30d and 1y the days are UTC days, with today. Default `24h`. */
  readonly window?: "24h" | "30d" | "1y";
  /** Only this instrument, by its own name or that of its bars. */
  readonly symbol?: Open<BarSymbol>;
  /** Only this source, by its key. */
  readonly source?: string;
}

/** Parameters of `GET /v1/quality`. */
export interface QualityListQuery {
  /** The series, in dash or slash form. */
  readonly symbol: Open<BarSymbol>;
  /** First day, inclusive, YYYY-MM-DD. */
  readonly from: string;
  /** Last day, inclusive, YYYY-MM-DD. */
  readonly to: string;
}

/** Parameters of `GET /v1/forward-view/{asset}`. */
export interface ForwardViewGetQuery {
  /** XAU, XAG or HG. */
  readonly asset: Open<Metal>;
}

/** Parameters of `GET /v1/convert`. */
export interface ConvertGetQuery {
  /** XAU, XAG or a currency code. */
  readonly from: Open<Convertible>;
  /** XAU, XAG or a currency code. */
  readonly to: Open<Convertible>;
  /** How much of `from`, finite and positive. Default `1`. */
  readonly amount?: string;
  /** Weight unit of the metal side: oz, gram or kg. Default `oz`. */
  readonly unit?: Open<WeightUnit>;
  /** Groups to add: sources, what the figures are made of. Unknown ones are ignored. */
  readonly include?: string;
}

/** Parameters of `GET /v1/carat`. */
export interface CaratGetQuery {
  /** One of the 31 currencies. Default `USD`. */
  readonly currency?: Open<Currency>;
  /** Groups to add: sources, what the figures are made of. Unknown ones are ignored. */
  readonly include?: string;
}

/** Parameters of `POST /v1/quotes`. */
export interface QuotesCreateQuery {
  /** Currency of every amount, ISO 4217. */
  readonly currency: Open<CounterCurrency>;
  /** What prices stand on, where the local market is above or below spot. */
  readonly basis?: QuotesCreateBasis;
  /** How many minutes these prices are held: `valid_until` says until when, and a receipt (format=jws) proves it. */
  readonly hold_minutes?: number;
  /** The pieces. */
  readonly items: readonly Piece[];
}

/** Parameters of `POST /v1/quotes/verify`. */
export interface ReceiptsVerifyQuery {
  /** The receipt. */
  readonly receipt: string;
}

/** Parameters of `GET /v1/physical/{country}`. */
export interface PhysicalGetQuery {
  /** ISO 3166-1 alpha-2, case-insensitive. */
  readonly country: Open<"AE" | "CN" | "EG" | "HK" | "ID" | "IN" | "JP" | "MY" | "NP" | "PK" | "SA" | "VN">;
}

/** Parameters of `GET /v1/surface/{metal}`. */
export interface SurfaceGetQuery {
  /** The metal, case-insensitive. */
  readonly metal: Open<SurfaceMetal>;
  /** A day of the expiries route, YYYY-MM-DD. */
  readonly horizon?: string;
}

/** Parameters of `GET /v1/surface/{metal}/expiries`. */
export interface SurfaceExpiriesQuery {
  /** The metal, case-insensitive. */
  readonly metal: Open<SurfaceMetal>;
}

/** Parameters of `GET /v1/signals/arbitrage`. */
export interface SignalsArbitrageQuery {
  /** The metal, case-insensitive. */
  readonly metal: Open<SurfaceMetal>;
}

/** Parameters of `POST /v1/account/keys`. */
export interface AccountMintKeyQuery {
  /** A name for the new key, of visible characters. */
  readonly name?: string;
}

/** Parameters of `DELETE /v1/account/keys/{key_id}`. */
export interface AccountRevokeKeyQuery {
  /** Key id. */
  readonly key_id: string;
}

/** Parameters of `POST /v1/account/alerts`. */
export interface AlertsCreateQuery {
  /** A symbol, as `/v1/spot/{symbol}` takes it. */
  readonly symbol: Open<SpotName>;
  /** What to watch for. */
  readonly kind: "above" | "below" | "moved" | "stale";
  /** For above and below a price, in the symbol's currency and unit; for moved a percentage of at least 0.01; not with stale. */
  readonly threshold?: string;
  /** For moved alone: the length of the window, in seconds; 3600 is an hour. */
  readonly window_seconds?: number;
  /** For moved alone: which way the price has to move; either when left out. */
  readonly direction?: "up" | "down" | "either";
  /**
   * True: it fires once and ends. False: above and below fire again after the price was back by 0.1 %, moved after it moved that
   * much again, stale every time, each once a minute at most. The event that ends a stale one is sent in either case. Default
   * `true`.
   */
  readonly once?: boolean;
  /** The endpoint's id. */
  readonly endpoint_id: string;
  /** A name for it, of visible characters. */
  readonly name?: string;
}

/** Parameters of `GET /v1/account/alerts/{alert_id}`. */
export interface AlertsGetQuery {
  /** The alert's id. */
  readonly alert_id: string;
}

/** Parameters of `PATCH /v1/account/alerts/{alert_id}`. */
export interface AlertsUpdateQuery {
  /** The alert's id. */
  readonly alert_id: string;
  /** For above and below a price, in the symbol's currency and unit; for moved a percentage of at least 0.01; not with stale. */
  readonly threshold?: string;
  /** For moved alone: the length of the window, in seconds; 3600 is an hour. */
  readonly window_seconds?: number;
  /** For moved alone: which way the price has to move; either when left out. */
  readonly direction?: "up" | "down" | "either";
  /**
   * True: it fires once and ends. False: above and below fire again after the price was back by 0.1 %, moved after it moved that
   * much again, stale every time, each once a minute at most. The event that ends a stale one is sent in either case.
   */
  readonly once?: boolean;
  /** The endpoint's id. */
  readonly endpoint_id?: string;
  /** A name for it, of visible characters. */
  readonly name?: string;
}

/** Parameters of `DELETE /v1/account/alerts/{alert_id}`. */
export interface AlertsDeleteQuery {
  /** The alert's id. */
  readonly alert_id: string;
}

/** Parameters of `POST /v1/account/endpoints`. */
export interface EndpointsCreateQuery {
  /** An https address with a public host, without credentials and fragment. */
  readonly url: string;
}

/** Parameters of `DELETE /v1/account/endpoints/{endpoint_id}`. */
export interface EndpointsDeleteQuery {
  /** The endpoint's id. */
  readonly endpoint_id: string;
}

/** Parameters of `POST /v1/account/endpoints/{endpoint_id}/test`. */
export interface EndpointsTestQuery {
  /** The endpoint's id. */
  readonly endpoint_id: string;
}

/** Parameters of `POST /v1/account/endpoints/{endpoint_id}/rotate`. */
export interface EndpointsRotateQuery {
  /** The endpoint's id. */
  readonly endpoint_id: string;
}

/** Parameters of `GET /v1/account/deliveries`. */
export interface DeliveriesListQuery {
  /** Only events of this alert. */
  readonly alert_id?: string;
  /** Only events to this endpoint. */
  readonly endpoint_id?: string;
  /** Only events with this status. */
  readonly status?: "pending" | "delivered" | "failed";
  /** At most this many rows. Default `100`. */
  readonly limit?: number;
  /** next_cursor of the previous page; opaque. */
  readonly cursor?: string;
}

/** Parameters of `POST /v1/account/deliveries/{delivery_id}/redeliver`. */
export interface DeliveriesRedeliverQuery {
  /** The delivery's id. */
  readonly delivery_id: string;
}

/** What every error body holds. */
export interface ErrorBody {
  /** Machine code. */
  readonly error: string;
  /** What went wrong, in words. */
  readonly message: string;
  /** The id of the request, also in X-Request-Id. */
  readonly request_id: string;
}

/** `invalid_symbol`, status 400: The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT. */
export interface InvalidSymbolBody extends ErrorBody {
  readonly error: "invalid_symbol";
  /** The symbol as given. */
  readonly symbol: string;
  /** How symbols are written. */
  readonly hint: string;
}

/**
 * `bad_request`, status 400: A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
 * does not exist, `from` after `to`, or an amount that is not positive.
 */
export interface BadRequestBody extends ErrorBody {
  readonly error: "bad_request";
}

/**
 * `unsupported_currency`, status 400: A currency or metal of the conversion, or the currency of the karat table, a badge or an
 * embedded page, is not supported.
 */
export interface UnsupportedCurrencyBody extends ErrorBody {
  readonly error: "unsupported_currency";
}

/** `unsupported_unit`, status 400: The unit is not oz, gram or kg. */
export interface UnsupportedUnitBody extends ErrorBody {
  readonly error: "unsupported_unit";
}

/**
 * `range_too_deep`, status 400: `from` or `at` is further back than the tier allows, or an intraday range starts more than 30
 * days ago.
 */
export interface RangeTooDeepBody extends ErrorBody {
  readonly error: "range_too_deep";
}

/**
 * `unknown_past`, status 400: `known_at` is before the service began to record revisions, or in a time that a restored backup
 * lacks.
 */
export interface UnknownPastBody extends ErrorBody {
  readonly error: "unknown_past";
  /** The first instant from then on that can be answered, with milliseconds. */
  readonly ledger_starts_at: string;
}

/** `unknown_pair`, status 400: The pair is not one of the supported pairs. */
export interface UnknownPairBody extends ErrorBody {
  readonly error: "unknown_pair";
}

/**
 * `invalid_api_key`, status 401: The key is malformed, unknown, revoked or in the wrong place, or the request has more than one
 * key.
 */
export interface InvalidApiKeyBody extends ErrorBody {
  readonly error: "invalid_api_key";
}

/** `unauthenticated`, status 401: The route needs a key, and the request has none. */
export interface UnauthenticatedBody extends ErrorBody {
  readonly error: "unauthenticated";
}

/** `authentication_required`, status 401: The download needs a key, and the request has none. */
export interface AuthenticationRequiredBody extends ErrorBody {
  readonly error: "authentication_required";
}

/** `plan_gated`, status 403: The tier does not include the route, metal, symbol, contract or interval. */
export interface PlanGatedBody extends ErrorBody {
  readonly error: "plan_gated";
  /** The caller's tier. */
  readonly tier: TierName;
  /** The lowest tier that includes it. */
  readonly required_tier: TierName;
}

/** `link_expired`, status 403: The link to an archive was modified, or is older than one hour. */
export interface LinkExpiredBody extends ErrorBody {
  readonly error: "link_expired";
}

/**
 * `key_in_grace`, status 403: The key was replaced by a newer one and is in its last 24 hours: it reads, and gets the response to
 * its own rotation again, but changes nothing.
 */
export interface KeyInGraceBody extends ErrorBody {
  readonly error: "key_in_grace";
}

/**
 * `not_found`, status 404: The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or there
 * is no archive for that year, no price that early, or no live surface for that metal.
 */
export interface NotFoundBody extends ErrorBody {
  readonly error: "not_found";
}

/** `disabled`, status 404: The operator has disabled bars, ratios or downloads. */
export interface DisabledBody extends ErrorBody {
  readonly error: "disabled";
}

/** `key_not_found`, status 404: The caller's organisation has no key with that id. */
export interface KeyNotFoundBody extends ErrorBody {
  readonly error: "key_not_found";
}

/** `alert_not_found`, status 404: The caller's organisation has no alert with that id. */
export interface AlertNotFoundBody extends ErrorBody {
  readonly error: "alert_not_found";
}

/** `endpoint_not_found`, status 404: The caller's organisation has no endpoint with that id. */
export interface EndpointNotFoundBody extends ErrorBody {
  readonly error: "endpoint_not_found";
}

/** `delivery_not_found`, status 404: The caller's organisation has no delivery with that id, or it is older than 30 days. */
export interface DeliveryNotFoundBody extends ErrorBody {
  readonly error: "delivery_not_found";
}

/** `unknown_metal`, status 404: The metal of a surface or signals request is unknown. */
export interface UnknownMetalBody extends ErrorBody {
  readonly error: "unknown_metal";
}

/** `unknown_horizon`, status 404: The horizon is a date, but not one of the live horizons. */
export interface UnknownHorizonBody extends ErrorBody {
  readonly error: "unknown_horizon";
}

/** `method_not_allowed`, status 405: The path exists, but does not support the method. */
export interface MethodNotAllowedBody extends ErrorBody {
  readonly error: "method_not_allowed";
}

/**
 * `key_limit_reached`, status 409: A new key is requested while the organisation has 20 keys, including those in their grace
 * period.
 */
export interface KeyLimitReachedBody extends ErrorBody {
  readonly error: "key_limit_reached";
}

/**
 * `alert_limit_reached`, status 409: A new alert is requested while the organisation has `max_alerts` of its tier, those that
 * have fired included.
 */
export interface AlertLimitReachedBody extends ErrorBody {
  readonly error: "alert_limit_reached";
}

/** `endpoint_limit_reached`, status 409: A new endpoint is requested while the organisation has 20. */
export interface EndpointLimitReachedBody extends ErrorBody {
  readonly error: "endpoint_limit_reached";
}

/** `endpoint_in_use`, status 409: An endpoint is to be deleted while alerts are sent to it. */
export interface EndpointInUseBody extends ErrorBody {
  readonly error: "endpoint_in_use";
}

/** `payload_too_large`, status 413: The request body is larger than the route reads: 64 KiB, or what `message` says. */
export interface PayloadTooLargeBody extends ErrorBody {
  readonly error: "payload_too_large";
}

/** `unsupported_media_type`, status 415: The request body has a `Content-Encoding`. */
export interface UnsupportedMediaTypeBody extends ErrorBody {
  readonly error: "unsupported_media_type";
}

/** `validation_error`, status 422: A parameter is missing, unknown, repeated, of the wrong type, too long or out of range. */
export interface ValidationBody extends ErrorBody {
  readonly error: "validation_error";
  /** Every invalid parameter. */
  readonly issues: readonly ValidationIssue[];
}

/** `invalid_horizon`, status 422: The horizon is not an ISO date. */
export interface InvalidHorizonBody extends ErrorBody {
  readonly error: "invalid_horizon";
}

/** `rate_limited`, status 429: An IP address exceeded the hourly limit for requests without a key. */
export interface RateLimitedBody extends ErrorBody {
  readonly error: "rate_limited";
  /** Requests allowed in the window. */
  readonly limit: number;
  /** The exhausted window; `streams` if too many are open at once. */
  readonly window: "minute" | "hour" | "month" | "streams";
  /** Seconds until the next request is allowed. */
  readonly retry_after_seconds: number;
  /** When the window resets. */
  readonly reset_at: string;
}

/**
 * `rate_limit_exceeded`, status 429: The per-minute limit of the tier (or, without a key, of the IP address) is exceeded, or the
 * key, or the address of a caller without one, has as many streams open as its tier allows.
 */
export interface RateLimitExceededBody extends ErrorBody {
  readonly error: "rate_limit_exceeded";
  /** Requests allowed in the window. */
  readonly limit: number;
  /** The exhausted window; `streams` if too many are open at once. */
  readonly window: "minute" | "hour" | "month" | "streams";
  /** Seconds until the next request is allowed. */
  readonly retry_after_seconds: number;
  /** When the window resets. */
  readonly reset_at: string;
}

/** `quota_exceeded`, status 429: The tier's monthly quota is exhausted. */
export interface QuotaExceededBody extends ErrorBody {
  readonly error: "quota_exceeded";
  /** Requests allowed in the window. */
  readonly limit: number;
  /** The exhausted window; `streams` if too many are open at once. */
  readonly window: "minute" | "hour" | "month" | "streams";
  /** Seconds until the next request is allowed. */
  readonly retry_after_seconds: number;
  /** When the window resets. */
  readonly reset_at: string;
}

/** `storage_unavailable`, status 500: The archive storage failed during a download. */
export interface StorageUnavailableBody extends ErrorBody {
  readonly error: "storage_unavailable";
}

/** `storage_error`, status 503: The archive storage does not respond. */
export interface StorageBody extends ErrorBody {
  readonly error: "storage_error";
}

/** `auth_unavailable`, status 503: The database of keys does not respond. */
export interface AuthUnavailableBody extends ErrorBody {
  readonly error: "auth_unavailable";
}

/**
 * `spot_unavailable`, status 503: No spot price or currency rate is available for the request; `message` names what is missing.
 * `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
 */
export interface SpotUnavailableBody extends ErrorBody {
  readonly error: "spot_unavailable";
}

/** `no_horizons_available`, status 503: The forward view has no horizons. */
export interface NoHorizonsAvailableBody extends ErrorBody {
  readonly error: "no_horizons_available";
}

/**
 * `service_unavailable`, status 503: The database or cache behind the route does not respond, the service is still starting, or
 * there is no figure yet for `format=text`.
 */
export interface ServiceUnavailableBody extends ErrorBody {
  readonly error: "service_unavailable";
}

/** Every error body by its code. */
export interface ErrorBodies {
  readonly invalid_symbol: InvalidSymbolBody;
  readonly bad_request: BadRequestBody;
  readonly unsupported_currency: UnsupportedCurrencyBody;
  readonly unsupported_unit: UnsupportedUnitBody;
  readonly range_too_deep: RangeTooDeepBody;
  readonly unknown_past: UnknownPastBody;
  readonly unknown_pair: UnknownPairBody;
  readonly invalid_api_key: InvalidApiKeyBody;
  readonly unauthenticated: UnauthenticatedBody;
  readonly authentication_required: AuthenticationRequiredBody;
  readonly plan_gated: PlanGatedBody;
  readonly link_expired: LinkExpiredBody;
  readonly key_in_grace: KeyInGraceBody;
  readonly not_found: NotFoundBody;
  readonly disabled: DisabledBody;
  readonly key_not_found: KeyNotFoundBody;
  readonly alert_not_found: AlertNotFoundBody;
  readonly endpoint_not_found: EndpointNotFoundBody;
  readonly delivery_not_found: DeliveryNotFoundBody;
  readonly unknown_metal: UnknownMetalBody;
  readonly unknown_horizon: UnknownHorizonBody;
  readonly method_not_allowed: MethodNotAllowedBody;
  readonly key_limit_reached: KeyLimitReachedBody;
  readonly alert_limit_reached: AlertLimitReachedBody;
  readonly endpoint_limit_reached: EndpointLimitReachedBody;
  readonly endpoint_in_use: EndpointInUseBody;
  readonly payload_too_large: PayloadTooLargeBody;
  readonly unsupported_media_type: UnsupportedMediaTypeBody;
  readonly validation_error: ValidationBody;
  readonly invalid_horizon: InvalidHorizonBody;
  readonly rate_limited: RateLimitedBody;
  readonly rate_limit_exceeded: RateLimitExceededBody;
  readonly quota_exceeded: QuotaExceededBody;
  readonly storage_unavailable: StorageUnavailableBody;
  readonly storage_error: StorageBody;
  readonly auth_unavailable: AuthUnavailableBody;
  readonly spot_unavailable: SpotUnavailableBody;
  readonly no_horizons_available: NoHorizonsAvailableBody;
  readonly service_unavailable: ServiceUnavailableBody;
}
