/**
 * Types of responses: figures are exact decimals, instants are Dates, and fields that the service omits are absent.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { PublishedDecimal } from "../core/published-decimal.ts";
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
  readonly checkedAt: Date;
  /** The API version. */
  readonly version: string;
  /** The commit that the process was built from, if it is known. */
  readonly commit?: string;
  /** What the overall status depends on, besides the feeds. */
  readonly checks: StatusChecks;
  /** Each feed by its key. */
  readonly scrapers: Readonly<Record<string, FeedStatus>>;
  /** Each priced symbol. */
  readonly valueStaleness: Readonly<Record<string, ValueStaleness>>;
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
  readonly liveWriter: WriterCheck;
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
  readonly lastBarAt: Date | null;
  /** Seconds since it began. */
  readonly ageSeconds: number | null;
}

/** Whether the expected writer holds the lease. */
export interface WriterCheck {
  /** Whether the check passes. */
  readonly ok: boolean;
  /** The expected holder of the lease; null for any. */
  readonly configured: string | null;
  /** The holder; null if there is none. */
  readonly leaseOwner: string | null;
  /** Until when. */
  readonly leaseExpiresAt: Date | null;
  /** Increases by one at each takeover. */
  readonly fencingToken: number | null;
}

/** The freshness of one feed. */
export interface FeedStatus {
  /** ok, failing (late or rejected), or waiting for its first success. */
  readonly status: "ok" | "failing" | "waiting";
  /** Whether the overall status depends on it. */
  readonly required: boolean;
  /** Expected seconds between successes. */
  readonly expectedIntervalSeconds: number;
  /** Last success. */
  readonly lastSuccessAt: Date | null;
  /** Seconds since the last success. */
  readonly ageSeconds: number | null;
  /** Failures since the last success. */
  readonly consecutiveFailures: number;
  /** Observations rejected by a rule since the start. */
  readonly rejectedObservations: number;
  /** The class of the last failure, or the rule of the last refusal; null before the first. */
  readonly lastError: string | null;
}

/** The freshness of one price. */
export interface ValueStaleness {
  /** Past its freshness window. */
  readonly isStale: boolean;
  /** Seconds since the price was computed. */
  readonly ageSeconds: number | null;
  /** Why it is stale; null when it is not. */
  readonly reason: string | null;
}

/** Whether the spot market trades. */
export interface StatusMarket {
  /** Whether the spot market is open. */
  readonly state: "open" | "closed";
  /** When that changes. */
  readonly nextChangeAt: Date | null;
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
  readonly lastBuiltAt: Date | null;
  /** The class of the last error; null if there was none. */
  readonly lastError: string | null;
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
  readonly monthlyPriceUsd: PublishedDecimal;
  /** Price per year in USD. */
  readonly yearlyPriceUsd: PublishedDecimal;
  /** Requests per minute and organisation. */
  readonly rateLimitPerMinute: number;
  /** Metered requests per UTC calendar month and organisation. */
  readonly monthlyQuota: number;
  /** Metals the tier includes. */
  readonly allowedBases: readonly Open<Metal>[];
  /** Contract types the tier includes. */
  readonly allowedContracts: readonly ContractType[];
  /** Whether agent access (MCP) is included. */
  readonly includesMcp: boolean;
  /** Whether commercial use is allowed. */
  readonly commercialUse: boolean;
  /** Support response time in hours, null for none. */
  readonly supportSlaHours: number | null;
  /** Streams open at once per key, SSE and WebSocket together. */
  readonly maxConcurrentStreams: number;
  /** Alerts of an organisation. */
  readonly maxAlerts: number;
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
  readonly barSymbols: readonly string[];
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
  readonly defaultContract: ContractType;
  /** USD, or every quoted currency. */
  readonly quotedIn: "USD" | "all";
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
  readonly hasSurface: boolean;
  /** How far apart two sources of one moment may be, in bps. */
  readonly agreementBps: number;
  /** A reading with a wider spread is refused, in percent. */
  readonly maxSpreadPercent: number;
  /** Plausible prices in USD, inclusive; readings outside are refused. */
  readonly bounds: CatalogBounds;
  /** Its futures; null for none. */
  readonly futures: CatalogFutures | null;
}

/** Plausible prices in USD, inclusive; readings outside are refused. */
export interface CatalogBounds {
  /** Lowest. */
  readonly low: PublishedDecimal;
  /** Highest. */
  readonly high: PublishedDecimal;
}

/** A metal's futures. */
export interface CatalogFutures {
  /** The product, which is also the symbol of its bars. */
  readonly product: string;
  /** Delivery months with high volume, 1 to 12. */
  readonly mainMonths: readonly number[];
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
  readonly agreementBps: number;
  /** A reading with a wider spread is refused, in percent. */
  readonly maxSpreadPercent: number;
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
  readonly minorUnits: number;
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
  readonly units: PublishedDecimal;
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
  readonly grams: PublishedDecimal;
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
  readonly quoteCurrency: string;
  /** Closes are per troy ounce. */
  readonly unit: "troy_ounce";
  /** Daily. */
  readonly interval: "1d";
  /** First day of the window. A UTC calendar day, YYYY-MM-DD. */
  readonly from: string;
  /** Last day of the window. A UTC calendar day, YYYY-MM-DD. */
  readonly to: string;
  /** The hour's start. */
  readonly asOf: Date;
  /** Newest first. */
  readonly series: readonly DailyClose[];
  /** Metadata of the response. */
  readonly meta: PublicHistoryMeta;
}

/** The close of one day. */
export interface DailyClose {
  /** The day. A UTC calendar day, YYYY-MM-DD. */
  readonly date: string;
  /** Close in USD per troy ounce. */
  readonly close: PublishedDecimal;
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
  readonly quoteCurrency: Open<Currency>;
  /** Unit of the price: pound for HG, otherwise troy_ounce. */
  readonly unit: Open<PriceUnit>;
  /** spot or futures. */
  readonly contractType: ContractType;
  /** True when the price is outside its freshness window. */
  readonly isStale: boolean;
  /** Why it is stale; only when it is. */
  readonly staleReason?: "market_closed" | "feed_down" | "fx_fallback";
  /** Price of one unit in the quote currency; absent when unavailable. */
  readonly price?: PublishedDecimal;
  /** Bid of one unit in the quote currency; absent when unavailable. */
  readonly bid?: PublishedDecimal;
  /** Ask of one unit in the quote currency; absent when unavailable. */
  readonly ask?: PublishedDecimal;
  /**
   * When the price was computed; of a settlement its source's instant, of the last close its bar's end; absent when unavailable.
   */
  readonly computedAt?: Date;
  /** Group sources: provenance, filtered by tier. */
  readonly sources?: readonly Source[];
  /**
   * Group sources, receipts: the price in USD per ounce or pound, with every digit: times `fxRate` it is the price to its last
   * digit.
   */
  readonly priceUsd?: PublishedDecimal;
  /**
   * Group sources, receipts, outside USD: units of the currency for one USD that stood when the price was published, up to 18
   * significant digits.
   */
  readonly fxRate?: PublishedDecimal;
  /** Group sources, receipts, outside USD: where the rate comes from. */
  readonly fxSource?: string;
  /** Group sources, receipts, outside USD: what the rate is. */
  readonly fxRole?: "live" | "reference" | "peg";
  /** Group sources, receipts, outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fxAt?: Date;
  /** Group karat: price per gram of 24 karat, in the quote currency. */
  readonly priceGram24k?: PublishedDecimal;
  /** Group karat: price per gram of 22 karat, in the quote currency. */
  readonly priceGram22k?: PublishedDecimal;
  /** Group karat: price per gram of 21 karat, in the quote currency. */
  readonly priceGram21k?: PublishedDecimal;
  /** Group karat: price per gram of 20 karat, in the quote currency. */
  readonly priceGram20k?: PublishedDecimal;
  /** Group karat: price per gram of 18 karat, in the quote currency. */
  readonly priceGram18k?: PublishedDecimal;
  /** Group karat: price per gram of 16 karat, in the quote currency. */
  readonly priceGram16k?: PublishedDecimal;
  /** Group karat: price per gram of 14 karat, in the quote currency. */
  readonly priceGram14k?: PublishedDecimal;
  /** Group karat: price per gram of 10 karat, in the quote currency. */
  readonly priceGram10k?: PublishedDecimal;
  /** Group stats: whether the sources differ by 50 bps or more. */
  readonly divergenceFlag?: boolean;
  /** Group stats: (highest − lowest) / median of the fresh primary sources, in bps, one decimal. */
  readonly divergenceBps?: number;
  /** Group stats: only when the primary source is the council rate. */
  readonly valueStale?: boolean;
  /** Group stats: the UTC day's open, in the quote currency. */
  readonly openPrice?: PublishedDecimal;
  /** Group stats: the UTC day's high, in the quote currency. */
  readonly highPrice?: PublishedDecimal;
  /** Group stats: the UTC day's low, in the quote currency. */
  readonly lowPrice?: PublishedDecimal;
  /** Group stats: the close of the UTC day before that of the price, in the quote currency. */
  readonly prevClosePrice?: PublishedDecimal;
  /** Group stats: price minus previous close, in the quote currency. */
  readonly ch?: PublishedDecimal;
  /** Group stats: that change in percent. */
  readonly chp?: PublishedDecimal;
  /** Group stats: epoch seconds at UTC midnight. */
  readonly openTime?: number;
}

/** Where a price comes from. */
export interface Source {
  /** The feed's key. */
  readonly source: string;
  /** The publisher's name. */
  readonly displayName?: string;
  /** Its own price of one unit, in the row's quote currency. */
  readonly price?: PublishedDecimal;
  /** troy_ounce or pound. */
  readonly unit?: string;
  /** The class of its terms of use. */
  readonly license?: string;
  /** Past its freshness window. */
  readonly isStale?: boolean;
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
  readonly thresholdBps: number;
  /** The moment looked at. */
  readonly computedAt: Date;
  /** How many symbols diverge. */
  readonly divergedCount: number;
  /** Absent in this form. */
  readonly diverged?: undefined;
}

/** The response with a key. */
export interface DivergenceDetail {
  /** The requested threshold. */
  readonly thresholdBps: number;
  /** The moment looked at. */
  readonly computedAt: Date;
  /** The diverging symbols that the tier includes. */
  readonly diverged: readonly DivergedRow[];
  /** Absent in this form. */
  readonly divergedCount?: undefined;
}

/** One symbol whose sources differ. */
export interface DivergedRow {
  /** Metal code. */
  readonly symbol: Open<Metal>;
  /** ISO 4217 code. */
  readonly quoteCurrency: Open<Currency>;
  /** spot or futures. */
  readonly contractType: ContractType;
  /** (highest − lowest) / median, in bps, one decimal. */
  readonly divergenceBps: number;
  /** The believed primary sources, filtered by tier. */
  readonly primarySources: readonly Source[];
  /** When the price was computed. */
  readonly computedAt: Date;
}

/** Bars of a window, oldest first. */
export interface History {
  /** The series. */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. */
  readonly interval: "1d" | "1h";
  /** First day served. A UTC calendar day, YYYY-MM-DD. */
  readonly from: string;
  /** Last day served. A UTC calendar day, YYYY-MM-DD. */
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
  readonly open: PublishedDecimal | null;
  /** High. */
  readonly high: PublishedDecimal | null;
  /** Low. */
  readonly low: PublishedDecimal | null;
  /** Close. */
  readonly close: PublishedDecimal | null;
  /** Always null. */
  readonly volume: null;
  /** Whether the underlying price was stale. */
  readonly isStale: boolean;
  /** False while the bar is forming. */
  readonly isClosed: boolean;
}

/** Metadata of the response. */
export interface HistoryMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Rows in the series. */
  readonly count: number;
  /** Where the bars come from. */
  readonly ohlcNote: string;
  /** False while bars of this response are still being filled in; omitted once it is whole. */
  readonly complete?: false;
}

/** One priced symbol, now or at a past instant. */
export interface SpotAnswer {
  /** Metal code. */
  readonly symbol: Open<Metal>;
  /** ISO 4217 code. */
  readonly quoteCurrency: Open<Currency>;
  /** Unit of the price: pound for HG, otherwise troy_ounce. */
  readonly unit: Open<PriceUnit>;
  /** spot or futures. */
  readonly contractType: ContractType;
  /** True when the price is outside its freshness window. */
  readonly isStale: boolean;
  /** Why it is stale; only when it is. */
  readonly staleReason?: "market_closed" | "feed_down" | "fx_fallback";
  /** Price of one unit in the quote currency; absent when unavailable. */
  readonly price?: PublishedDecimal;
  /** Bid of one unit in the quote currency; absent when unavailable. */
  readonly bid?: PublishedDecimal;
  /** Ask of one unit in the quote currency; absent when unavailable. */
  readonly ask?: PublishedDecimal;
  /**
   * When the price was computed; of a settlement its source's instant, of the last close its bar's end; absent when unavailable.
   */
  readonly computedAt?: Date;
  /** Group sources: provenance, filtered by tier. */
  readonly sources?: readonly Source[];
  /**
   * With `at`, group sources, receipts: the price in USD per ounce or pound, with every digit: times `fxRate` it is the price to
   * its last digit.
   */
  readonly priceUsd?: PublishedDecimal;
  /**
   * With `at`, group sources, receipts, outside USD: units of the currency for one USD that stood when the price was published,
   * up to 18 significant digits.
   */
  readonly fxRate?: PublishedDecimal;
  /** With `at`, group sources, receipts, outside USD: where the rate comes from. */
  readonly fxSource?: string;
  /** With `at`, group sources, receipts, outside USD: what the rate is. */
  readonly fxRole?: "live" | "reference" | "peg";
  /** With `at`, group sources, receipts, outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fxAt?: Date;
  /** Group karat: price per gram of 24 karat, in the quote currency. */
  readonly priceGram24k?: PublishedDecimal;
  /** Group karat: price per gram of 22 karat, in the quote currency. */
  readonly priceGram22k?: PublishedDecimal;
  /** Group karat: price per gram of 21 karat, in the quote currency. */
  readonly priceGram21k?: PublishedDecimal;
  /** Group karat: price per gram of 20 karat, in the quote currency. */
  readonly priceGram20k?: PublishedDecimal;
  /** Group karat: price per gram of 18 karat, in the quote currency. */
  readonly priceGram18k?: PublishedDecimal;
  /** Group karat: price per gram of 16 karat, in the quote currency. */
  readonly priceGram16k?: PublishedDecimal;
  /** Group karat: price per gram of 14 karat, in the quote currency. */
  readonly priceGram14k?: PublishedDecimal;
  /** Group karat: price per gram of 10 karat, in the quote currency. */
  readonly priceGram10k?: PublishedDecimal;
  /** Group stats: whether the sources differ by 50 bps or more. */
  readonly divergenceFlag?: boolean;
  /** Group stats: (highest − lowest) / median of the fresh primary sources, in bps, one decimal. */
  readonly divergenceBps?: number;
  /** Group stats: only when the primary source is the council rate. */
  readonly valueStale?: boolean;
  /** Group stats: the UTC day's open, in the quote currency. */
  readonly openPrice?: PublishedDecimal;
  /** Group stats: the UTC day's high, in the quote currency. */
  readonly highPrice?: PublishedDecimal;
  /** Group stats: the UTC day's low, in the quote currency. */
  readonly lowPrice?: PublishedDecimal;
  /** Group stats: the close of the UTC day before that of the price, in the quote currency. */
  readonly prevClosePrice?: PublishedDecimal;
  /** Group stats: price minus previous close, in the quote currency. */
  readonly ch?: PublishedDecimal;
  /** Group stats: that change in percent. */
  readonly chp?: PublishedDecimal;
  /** Group stats: epoch seconds at UTC midnight. */
  readonly openTime?: number;
  /** With `at`: the instant the price stood at. */
  readonly asOf?: Date;
  /** With `at`: what the price is: a published price, the close of a bar of this interval, or a settlement. */
  readonly basis?: "tick" | "1m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d" | "settlement";
  /** With `at`, outside USD: the UTC day of the rate. A UTC calendar day, YYYY-MM-DD. */
  readonly fxDate?: string;
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
  readonly nextCursor: string | null;
  /** Metadata of the response. */
  readonly meta: BarsMeta;
}

/**
 * Open, high, low, close and volume over the interval that starts at barStart. Open, high and low are null where only the close
 * is known. Prices are in USD: per troy ounce, per pound for HG, per share for GLD.
 */
export interface Bar {
  /** When the bar begins. */
  readonly barStart: Date;
  /** First price. */
  readonly open: PublishedDecimal | null;
  /** Highest price. */
  readonly high: PublishedDecimal | null;
  /** Lowest price. */
  readonly low: PublishedDecimal | null;
  /** Last price. */
  readonly close: PublishedDecimal | null;
  /** Contracts or shares traded; null for spot. */
  readonly volume: PublishedDecimal | null;
  /** False while the bar is forming. */
  readonly isClosed: boolean;
}

/** Metadata of the response. */
export interface BarsMeta {
  /** The caller's tier. */
  readonly tier: TierName;
  /** Bars in this response. */
  readonly count: number;
  /** Where the newest of the bars comes from; without bars, the series. */
  readonly sourceId: string | null;
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
  readonly nextCursor: string | null;
  /** Metadata of the response. */
  readonly meta: RatiosMeta;
}

/** The ratio of one settled day. */
export interface RatioPoint {
  /** The UTC day of both closes. A UTC calendar day, YYYY-MM-DD. */
  readonly date: string;
  /** Numerator close divided by denominator close, 4 decimals; one below the last of them has four significant digits instead. */
  readonly ratio: PublishedDecimal;
  /** Close of the numerator. */
  readonly numeratorClose: PublishedDecimal;
  /** Close of the denominator. */
  readonly denominatorClose: PublishedDecimal;
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
  readonly quoteCurrency: Open<Currency>;
  /** Unit of weight the price is of. */
  readonly unit: Open<Unit>;
  /** Purity in parts of 1000, at most three decimals. */
  readonly fineness: PublishedDecimal;
  /** Always daily. */
  readonly interval: "1d";
  /** Newest first, or oldest first with order=asc. */
  readonly points: readonly SeriesPoint[];
  /** Cursor of the next page; null when there are no more. */
  readonly nextCursor: string | null;
  /** Metadata of the response. */
  readonly meta: SeriesMeta;
}

/** The price of one settled day. */
export interface SeriesPoint {
  /** The UTC day. A UTC calendar day, YYYY-MM-DD. */
  readonly date: string;
  /** Close of one unit in the quote currency: usdClose × fxRate × weight × purity, rounded once. */
  readonly price: PublishedDecimal;
  /** Close of the day in USD, with every digit the price is computed from, per pound for HG, otherwise troy_ounce. */
  readonly usdClose: PublishedDecimal;
  /** Units of the quote currency for one USD, up to 18 significant digits; 1 for USD. */
  readonly fxRate: PublishedDecimal;
  /**
   * The day the rate was published, at most seven days before `date`; for USD and what is pegged to it `date`. A UTC calendar
   * day, YYYY-MM-DD.
   */
  readonly fxDate: string;
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
  /** The exchange's day. A UTC calendar day, YYYY-MM-DD. */
  readonly settlementDate: string;
  /** Price of the day's active contract, in USD per ounce, copper per pound. */
  readonly settlementPrice: PublishedDecimal | null;
  /** The previous settlement of the same contract; null when there is none. */
  readonly priorSettlement: PublishedDecimal | null;
  /** settlementPrice minus priorSettlement. */
  readonly changeValue: PublishedDecimal | null;
  /** Contracts traded. */
  readonly volume: number | null;
  /** Contracts open at the end of the day. */
  readonly openInterest: number | null;
  /** The feed's key. */
  readonly source: string | null;
  /** What the figure is. */
  readonly sourceType: Open<SettlementType>;
  /** When the publisher says it was so. */
  readonly sourceTimestamp: Date | null;
  /** When it was taken in. */
  readonly fetchedAt: Date | null;
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
  readonly nextSince: number;
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
  /** When it was recorded; knownAt from then on has it, with milliseconds. */
  readonly recordedAt: Date;
  /** The series or product, or the reference rate of a currency for one of another: EUR-USD-REFERENCE. */
  readonly symbol: Open<BarSymbol>;
  /** The bar's interval; null for others. */
  readonly interval: Interval | null;
  /** When the bar begins; null for others. */
  readonly barStart: Date | null;
  /** The settlement's day; null for others. A UTC calendar day, YYYY-MM-DD. */
  readonly settlementDate: string | null;
  /** The settlement's contract; null for others. */
  readonly futuresContract: string | null;
  /** Why it was made. */
  readonly reason: Open<"import" | "withdrawn" | "late_source" | "publisher" | "operator">;
  /** The day of a reference rate; absent for others. A UTC calendar day, YYYY-MM-DD. */
  readonly referenceDate?: string;
  /** Who restated a rate, or whom imported bars are from, as sourceId has it. */
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
  readonly open: PublishedDecimal | null;
  /** Highest price; null for a settlement. */
  readonly high: PublishedDecimal | null;
  /** Lowest price; null for a settlement. */
  readonly low: PublishedDecimal | null;
  /** Last price, or the settlement. */
  readonly close: PublishedDecimal | null;
  /** Contracts or shares traded; null for spot. */
  readonly volume: PublishedDecimal | null;
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
  readonly recordedAt: Date | null;
}

/** The record of the sources. */
export interface SourceRecords {
  /** The window. */
  readonly window: "24h" | "30d" | "1y";
  /** Its beginning. */
  readonly from: Date;
  /** Its end, exclusive; at least 15 minutes ago. */
  readonly to: Date;
  /** By source, then by instrument. */
  readonly sources: readonly SourceRecord[];
}

/** What one source delivered of one instrument. */
export interface SourceRecord {
  /** The feed's key. */
  readonly source: string;
  /** Name to show. */
  readonly displayName: string;
  /** Who made the figures; sources of one origin are one witness. */
  readonly origin: string;
  /** The class of its terms. */
  readonly license: string;
  /** What it is a price of, in USD. */
  readonly instrument: string;
  /** Seconds between readings in normal operation. */
  readonly cadenceSeconds: number;
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
  readonly deviationBps: SourceDeviation;
  /** When a reading was last accepted. */
  readonly lastAcceptedAt: Date | null;
  /** The newest 50, newest first. */
  readonly incidents: readonly SourceIncident[];
  /** primary: sets the price; council: sets it while no primary is fresh; reference: never does. */
  readonly role?: "primary" | "council" | "reference";
  /** How long a reading stays fresh: older, and the source is silent. */
  readonly freshForSeconds?: number;
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
  readonly from: Date;
  /** When it ended; null while it lasts. */
  readonly to: Date | null;
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
  /** The UTC day. A UTC calendar day, YYYY-MM-DD. */
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
  readonly lastRevision: number | null;
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
  readonly spotUsd: PublishedDecimal;
  /** When the spot price was computed. */
  readonly computedAt: Date;
  /** By date. */
  readonly horizons: readonly Horizon[];
  /** Where the settlements come from. */
  readonly sources: readonly ForwardSource[];
  /** Everything missing or late, with its contract. */
  readonly errors: readonly string[];
}

/** One contract of the curve. */
export interface Horizon {
  /** The contract's last day of trading. A UTC calendar day, YYYY-MM-DD. */
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
  readonly settleUsd: PublishedDecimal;
  /** The feed's key. */
  readonly settleSource: string;
  /** How old the settlement is. */
  readonly settleAgeSeconds: number;
  /** Contracts open. */
  readonly openInterest: number | null;
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
  readonly retrievedAt: Date | null;
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
  readonly amount: PublishedDecimal;
  /** Value of one unit of `from` in `to`, up to 18 significant digits. */
  readonly rate: PublishedDecimal;
  /**
   * amount × rate, rounded half up to the target's minor units; metals 6 decimals. A result below the last of them has four
   * significant digits instead.
   */
  readonly result: PublishedDecimal;
  /** Weight unit of the metal side. */
  readonly unit: Open<WeightUnit>;
  /** The metal price's moment; for two currencies that of the `to` leg. */
  readonly timestamp: Date;
  /** Why the figure is stale, as in spot rows; only when it is. */
  readonly staleReason?: "market_closed" | "feed_down" | "fx_fallback";
  /**
   * Between a metal and a currency, with include=sources and in receipts: the price in USD per ounce or pound, with every digit:
   * times `fxRate` it is the price to its last digit.
   */
  readonly priceUsd?: PublishedDecimal;
  /**
   * Between a metal and a currency, with include=sources and in receipts, outside USD: units of the currency for one USD that
   * stood when the price was published, up to 18 significant digits.
   */
  readonly fxRate?: PublishedDecimal;
  /** Between a metal and a currency, with include=sources and in receipts, outside USD: where the rate comes from. */
  readonly fxSource?: string;
  /** Between a metal and a currency, with include=sources and in receipts, outside USD: what the rate is. */
  readonly fxRole?: "live" | "reference" | "peg";
  /**
   * Between a metal and a currency, with include=sources and in receipts, outside USD: when the rate was published; of a peg the
   * price's own moment.
   */
  readonly fxAt?: Date;
}

/** Gold per gram by karat, 4 decimals, in one currency. */
export interface KaratPrices {
  /** The currency. */
  readonly currency: Open<Currency>;
  /** The gold price's moment. */
  readonly timestamp: Date;
  /** Price per gram of 24 karat gold, in the currency. */
  readonly priceGram24k: PublishedDecimal;
  /** Price per gram of 22 karat gold, in the currency. */
  readonly priceGram22k: PublishedDecimal;
  /** Price per gram of 21 karat gold, in the currency. */
  readonly priceGram21k: PublishedDecimal;
  /** Price per gram of 20 karat gold, in the currency. */
  readonly priceGram20k: PublishedDecimal;
  /** Price per gram of 18 karat gold, in the currency. */
  readonly priceGram18k: PublishedDecimal;
  /** Price per gram of 16 karat gold, in the currency. */
  readonly priceGram16k: PublishedDecimal;
  /** Price per gram of 14 karat gold, in the currency. */
  readonly priceGram14k: PublishedDecimal;
  /** Price per gram of 10 karat gold, in the currency. */
  readonly priceGram10k: PublishedDecimal;
  /**
   * With include=sources and in receipts: the price in USD per ounce or pound, with every digit: times `fxRate` it is the price
   * to its last digit.
   */
  readonly priceUsd?: PublishedDecimal;
  /**
   * With include=sources and in receipts, outside USD: units of the currency for one USD that stood when the price was published,
   * up to 18 significant digits.
   */
  readonly fxRate?: PublishedDecimal;
  /** With include=sources and in receipts, outside USD: where the rate comes from. */
  readonly fxSource?: string;
  /** With include=sources and in receipts, outside USD: what the rate is. */
  readonly fxRole?: "live" | "reference" | "peg";
  /** With include=sources and in receipts, outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fxAt?: Date;
  /** Why the figures are stale, as in spot rows; only when they are. */
  readonly staleReason?: "market_closed" | "feed_down" | "fx_fallback";
}

/** The prices of pieces. */
export interface Bill {
  /** Currency of every amount, ISO 4217. */
  readonly currency: Open<CounterCurrency>;
  /** When the prices were computed; of several metals, the oldest. */
  readonly computedAt: Date;
  /** Until when the prices are held; absent without `holdMinutes`. */
  readonly validUntil?: Date;
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
  /** That figure in USD, with every digit, per `unitGrams`. */
  readonly priceUsd: PublishedDecimal;
  /** Grams of the unit that metal is priced in. */
  readonly unitGrams: PublishedDecimal;
  /**
   * A gram of pure metal in the currency: priceUsd / unitGrams × fxRate, and × (1 + premiumPercent / 100), up to 18 significant
   * digits.
   */
  readonly pricePerFineGram: PublishedDecimal;
  /** That of the basis; absent when none was asked for. */
  readonly premiumPercent?: PublishedDecimal;
  /** Units of the currency for one USD, up to 18 significant digits. */
  readonly fxRate: PublishedDecimal;
  /** Where the rate comes from. */
  readonly fxSource: string;
  /** Outside USD: what the rate is. */
  readonly fxRole?: "live" | "reference" | "peg";
  /** Outside USD: when the rate was published; of a peg the price's own moment. */
  readonly fxAt?: Date;
  /** When this price was computed, and the rate stood beside it. */
  readonly computedAt?: Date;
  /** True when price or rate is outside its freshness window. */
  readonly isStale: boolean;
  /** Why it is stale; only when it is. */
  readonly staleReason?: "market_closed" | "feed_down" | "fx_fallback";
}

/**
 * A piece with its price, or with the reason why it has none. metalValue, margin, making, charges, tax and rounding add up to
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
  readonly isStale?: boolean;
  /** Pure metal in it, six decimals. */
  readonly fineWeightGrams?: PublishedDecimal;
  /** Fine weight × price of a fine gram, rounded half up once to the currency's minor units. */
  readonly metalValue?: PublishedDecimal;
  /** Of the metal's value; below zero for what you buy, rounded half up once to the currency's minor units. */
  readonly margin?: PublishedDecimal;
  /** What the shop charges for its work; below zero for what you buy, rounded half up once to the currency's minor units. */
  readonly making?: PublishedDecimal;
  /** The charges, in the order given; absent when none were. */
  readonly charges?: readonly QuotedCharge[];
  /** Tax, that of charges included, rounded half up once to the currency's minor units. */
  readonly tax?: PublishedDecimal;
  /** The exact sum of them all, rounded once to `roundTo`. */
  readonly total?: PublishedDecimal;
  /** Why a piece has no price. */
  readonly error?: PieceError;
  /** What the lines above lack of `total`; absent when that is nothing. */
  readonly rounding?: PublishedDecimal;
  /** Weight of the whole piece in grams, exact. */
  readonly weightGrams?: PublishedDecimal;
  /** What was asked of a piece, besides its id, metal and side. */
  readonly asked?: AskedPiece;
}

/** A line of the bill. */
export interface QuotedCharge {
  /** As given. */
  readonly name: string;
  /** The charge; below zero for what you buy, rounded half up once to the currency's minor units. */
  readonly amount: PublishedDecimal;
  /** Its own tax, part of the `tax` of the piece; absent when it has none, rounded half up once to the currency's minor units. */
  readonly tax?: PublishedDecimal;
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
  readonly weight: PublishedDecimal;
  /** Unit of the weight. */
  readonly unit: Open<Unit>;
  /** As given; pure metal when neither this nor `fineness` is there. */
  readonly karat?: number;
  /** As given. */
  readonly fineness?: PublishedDecimal;
  /** As given. */
  readonly marginPercent?: PublishedDecimal;
  /** As given. */
  readonly making?: AskedMaking;
  /** As given. */
  readonly charges?: readonly AskedCharge[];
  /** As given. */
  readonly taxPercent?: PublishedDecimal;
  /** What is taxed. */
  readonly taxOn: "all" | "making" | "none";
  /** As given; the currency's smallest unit when absent. */
  readonly roundTo?: PublishedDecimal;
}

/** As given. */
export interface AskedMaking {
  /** Amount per gram of the whole piece. */
  readonly perGram?: PublishedDecimal;
  /** Percent. */
  readonly percent?: PublishedDecimal;
  /** An amount for the piece. */
  readonly fixed?: PublishedDecimal;
}

/** As given. */
export interface AskedCharge {
  /** As given. */
  readonly name: string;
  /** Amount per gram of the whole piece. */
  readonly perGram?: PublishedDecimal;
  /** Percent. */
  readonly percent?: PublishedDecimal;
  /** An amount for the piece. */
  readonly fixed?: PublishedDecimal;
  /** As given; metal when absent. */
  readonly of?: "metal" | "metal_and_margin" | "running";
  /** As given. */
  readonly taxPercent?: PublishedDecimal;
}

/** Sums of what the pieces show, over those with a price. */
export interface BillTotals {
  /** Of both sides together. */
  readonly metalValue: PublishedDecimal;
  /** Of both sides together. */
  readonly making: PublishedDecimal;
  /** Of both sides together. */
  readonly tax: PublishedDecimal;
  /** Of both sides together: what is owed is `due`. */
  readonly total: PublishedDecimal;
  /** Sums of the pieces you sell, or of those you buy. */
  readonly sell: SideTotals;
  /** Sums of the pieces you sell, or of those you buy. */
  readonly buy: SideTotals;
  /** sell.total − buy.total: what the customer pays; below zero, what you pay the customer. */
  readonly due: PublishedDecimal;
}

/** Sums of the pieces you sell, or of those you buy. */
export interface SideTotals {
  /** Sum of the lines. */
  readonly metalValue: PublishedDecimal;
  /** Sum of the lines; below zero for what you buy. */
  readonly margin: PublishedDecimal;
  /** Sum of `making` and `charges`; below zero for what you buy. */
  readonly charges: PublishedDecimal;
  /** Sum of the lines. */
  readonly tax: PublishedDecimal;
  /** Sum of the lines; absent when that is nothing. */
  readonly rounding?: PublishedDecimal;
  /** Sum of the totals, and of the lines above: what is paid for the pieces of this side. */
  readonly total: PublishedDecimal;
}

/** What is known of a receipt. */
export interface ReceiptCheck {
  /** Whether it names a key of this service. */
  readonly isOurs: boolean;
  /** Whether that key signed it as it is. */
  readonly isUnaltered: boolean;
  /** Whether it is genuine, and its prices are held at this moment. */
  readonly isHeld: boolean;
  /** When this was checked. */
  readonly checkedAt: Date;
  /** Until when its prices are held; absent when they never were, or it is not genuine. */
  readonly validUntil?: Date;
  /** When it was signed; absent when it is not genuine. */
  readonly issuedAt?: Date;
  /** The request it answered; absent when it is not genuine. */
  readonly requestId?: string;
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
  readonly computedAt: Date;
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
  readonly lastFetchedAt: Date | null;
  /** Past its freshness window. */
  readonly isStale: boolean;
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
  readonly spotReference: SpotReference | null;
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
  readonly priceUsd: PublishedDecimal;
  /** Units of the currency for one USD; null when no rate is known. */
  readonly fxRate: PublishedDecimal | null;
  /** The source of the rate. */
  readonly fxSource: string | null;
  /** Spot per gram in the currency; null when no rate is known. */
  readonly priceLocalPerGram: PublishedDecimal | null;
  /** When spot was computed. */
  readonly computedAt: Date;
  /** Whether spot or the rate is stale, as in spot rows. */
  readonly isStale: boolean;
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
  readonly fineness: PublishedDecimal;
  /** Weight of the product. */
  readonly weight: PublishedDecimal;
  /** Unit of the weight. */
  readonly weightUnit: Open<DealerWeightUnit>;
  /** Weight of the product in grams. */
  readonly weightGrams: PublishedDecimal;
  /** What a customer pays for the product; null where the dealer does not say. */
  readonly sellPrice: PublishedDecimal | null;
  /** What a customer is paid for it; null where the dealer does not say. */
  readonly buybackPrice: PublishedDecimal | null;
  /** What a customer pays for a gram of pure metal; null without a sell price. */
  readonly pricePerFineGram: PublishedDecimal | null;
  /** (sell per fine gram / spot per gram − 1) × 10 000; null when a leg is missing. */
  readonly premiumOverSpotBps: number | null;
  /** The same of the buyback price, mostly below zero; null when a leg is missing. */
  readonly buybackPremiumBps: number | null;
  /** Sell less buyback in bps of spot; null when a leg is missing. */
  readonly spreadBps: number | null;
  /** Whether the sell price includes sales tax; false also where none applies or nothing is stated. */
  readonly taxIncluded: boolean;
  /** Where it is published. */
  readonly sourceUrl: string;
  /** When the dealer says so. */
  readonly quotedAt: Date;
  /** When it was last read. */
  readonly fetchedAt: Date;
  /** Past its freshness window. */
  readonly isStale: boolean;
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
  /** The day, UTC. A UTC calendar day, YYYY-MM-DD. */
  readonly horizon: string;
  /** Whether it is the default horizon. */
  readonly isDefaultHorizon: boolean;
  /** Spot in USD per troy ounce. */
  readonly spotUsd: PublishedDecimal;
  /** Forward in USD per troy ounce; null without options. */
  readonly forwardUsd: PublishedDecimal | null;
  /** Percentiles of the distribution, non-decreasing. */
  readonly percentiles: SurfacePercentiles;
  /** By increasing strike. */
  readonly points: readonly SurfacePoint[];
  /** The venues behind it. */
  readonly venues: readonly SurfaceVenue[];
  /** How reliable it is. */
  readonly confidence: "high" | "medium" | "low";
  /** True with few quotes or wide spreads. */
  readonly thinLiquidity: boolean;
  /** How it was computed. */
  readonly method: "lognormal_kernels" | "isotonic_ladder" | "blend";
  /** Caveats. */
  readonly flags: readonly SurfaceFlag[];
  /** When it was computed. */
  readonly computedAt: Date;
  /** Age of the oldest data it is made from, in seconds. */
  readonly snapshotAgeSeconds: number;
  /** Disclaimer. */
  readonly disclaimer: string;
}

/** Percentiles of the distribution, non-decreasing. */
export interface SurfacePercentiles {
  /** The price with 10 % of the probability below it, in USD per troy ounce. */
  readonly p10: PublishedDecimal;
  /** The price with 25 % of the probability below it, in USD per troy ounce. */
  readonly p25: PublishedDecimal;
  /** The price with 50 % of the probability below it, in USD per troy ounce. */
  readonly p50: PublishedDecimal;
  /** The price with 75 % of the probability below it, in USD per troy ounce. */
  readonly p75: PublishedDecimal;
  /** The price with 90 % of the probability below it, in USD per troy ounce. */
  readonly p90: PublishedDecimal;
}

/** One strike of a surface. */
export interface SurfacePoint {
  /** USD per troy ounce. */
  readonly strike: PublishedDecimal;
  /** The probability of ending above the strike; it never rises with the strike. */
  readonly probAbove: number;
  /**
   * The venues' own prices before any smoothing, so they may be out of order or outside 0 to 1; null if no venue quotes this
   * strike.
   */
  readonly rawProbAbove: number | null;
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
  readonly marketsUsed: number;
  /** Dollars traded, as the venue reports it; null if it does not. */
  readonly volumeUsd: PublishedDecimal | null;
  /** When its quotes were read. */
  readonly retrievedAt: Date;
}

/** The days a metal has a surface for. */
export interface HorizonIndex {
  /** The metal. */
  readonly metal: Open<SurfaceMetal>;
  /** The horizon used when none is named. A UTC calendar day, YYYY-MM-DD. */
  readonly defaultHorizon: string;
  /** By date. */
  readonly horizons: readonly SurfaceHorizon[];
  /** Metadata of the response. */
  readonly meta: ExpiriesMeta;
}

/** One day there is a surface for. */
export interface SurfaceHorizon {
  /** The day, UTC. A UTC calendar day, YYYY-MM-DD. */
  readonly horizon: string;
  /** Days from now to the expiry. */
  readonly daysToExpiry: number;
  /** Two-sided quotes behind it. */
  readonly marketsCount: number;
  /** The venues behind it. */
  readonly venues: readonly string[];
  /** Age of the oldest data it is made from, in seconds. */
  readonly snapshotAgeSeconds: number;
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
  /** The day both markets settle, UTC. A UTC calendar day, YYYY-MM-DD. */
  readonly horizonTarget: string;
  /** `digital`: the same strike. `ladder`: the strike bought is below the one sold. */
  readonly type: "digital" | "ladder";
  /** The strike bought, in USD per troy ounce. */
  readonly strike: PublishedDecimal;
  /** What is bought, and where. */
  readonly buy: SignalBuy;
  /** What is sold, and where. */
  readonly sell: SignalSell;
  /** Sell over buy, in bps of the payout. */
  readonly grossEdgeBps: number;
  /** Fees of both venues, in bps of the payout. */
  readonly feesBps: number;
  /** What is left, in bps of the payout. */
  readonly netEdgeBps: number;
  /** Payout in dollars that can be traded at these prices. */
  readonly executableSizeUsd: PublishedDecimal;
  /** When the edge was first seen. */
  readonly detectedAt: Date;
}

/** What is bought, and where. */
export interface SignalBuy {
  /** The venue. */
  readonly venue: string;
  /** The venue's own name for the market. */
  readonly marketId: string;
  /** The side of the market that the price refers to. */
  readonly side: "yes" | "no";
  /** Average price paid, in dollars for a contract that pays one. */
  readonly price: PublishedDecimal;
  /** Payout in dollars available at the prices used. */
  readonly sizeUsd: PublishedDecimal;
}

/** What is sold, and where. */
export interface SignalSell {
  /** The venue. */
  readonly venue: string;
  /** The venue's own name for the market. */
  readonly marketId: string;
  /** The side of the market that the price refers to. */
  readonly side: "yes" | "no";
  /** Average price received, in dollars for a contract that pays one. */
  readonly price: PublishedDecimal;
  /** Payout in dollars available at the prices used. */
  readonly sizeUsd: PublishedDecimal;
}

/** A listed key; the key itself is never shown again. */
export interface Key {
  /** Key id. */
  readonly id: string;
  /** The first 16 characters of the key. */
  readonly keyPrefix: string;
  /** The key's name. */
  readonly name: string;
  /** When the key was minted. */
  readonly createdAt: Date;
  /** Last use, to the minute or so. */
  readonly lastUsedAt: Date | null;
  /** When it stops or stopped authenticating; in the future during grace. */
  readonly revokedAt: Date | null;
  /** When the key ends by itself, as the operator set it; until then it may do everything. Absent for a key without an end. */
  readonly expiresAt?: Date;
}

/** A new key; the only response with the whole key. */
export interface MintedKey {
  /** Key id. */
  readonly id: string;
  /** The whole key, returned only once. */
  readonly plaintext: string;
  /** The first 16 characters of the key. */
  readonly keyPrefix: string;
  /** When the key was minted. */
  readonly createdAt: Date;
  /** When the calling key stops authenticating. */
  readonly previousKeyRevokesAt: Date | null;
  /** When the key ends by itself, as the operator set it; until then it may do everything. Absent for a key without an end. */
  readonly expiresAt?: Date;
}

/** Metered calls of an organisation, by UTC calendar. */
export interface Usage {
  /** Metered calls today. */
  readonly callsToday: number;
  /** Metered calls this month. */
  readonly callsThisMonth: number;
  /** Streams open now; null when the tier has none. */
  readonly activeStreams: number | null;
  /** Streams allowed; null when the tier has none. */
  readonly maxStreams: number | null;
  /** Your tier. */
  readonly tier: TierName;
  /** Metered calls allowed per month. */
  readonly monthlyQuota: number;
  /** Metered calls left this month. */
  readonly remainingThisMonth: number;
  /** When the next month begins. */
  readonly resetsAt: Date;
  /**
   * Every day of this month up to today, oldest first: today as in `callsToday`, earlier days as stored; null while the store
   * does not respond.
   */
  readonly days: readonly DayUsage[] | null;
}

/** Metered calls of one UTC day. */
export interface DayUsage {
  /** The UTC day. A UTC calendar day, YYYY-MM-DD. */
  readonly date: string;
  /** Metered calls on that day. */
  readonly calls: number;
}

/** The alerts of an organisation. */
export interface AlertList {
  /** Newest first. */
  readonly alerts: readonly Alert[];
  /** Alerts that your tier allows. */
  readonly maxAlerts: number;
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
  readonly threshold: PublishedDecimal | null;
  /** The length of the window; null except for moved. */
  readonly windowSeconds: number | null;
  /** Which way the price has to move; null except for moved. */
  readonly direction: "up" | "down" | "either" | null;
  /** Whether it fires once and ends. */
  readonly once: boolean;
  /** Where its events are sent. */
  readonly endpointId: string;
  /**
   * armed: it fires when its condition becomes true. waiting: it is true already, or fired, and has to become false first. stale:
   * it reported that the symbol is stale. fired: it fired once and ended.
   */
  readonly state: "armed" | "waiting" | "fired" | "stale";
  /**
   * Why it is not judged now: suspended (by the operator), tier (yours no longer includes the symbol) or limit (yours includes
   * fewer alerts, and the newest are paused). It goes on as if it was made then.
   */
  readonly pausedReason: Open<"suspended" | "tier" | "limit"> | null;
  /** When it last fired; null when it has not. */
  readonly lastFiredAt: Date | null;
  /** When it was made. */
  readonly createdAt: Date;
  /** When it was last changed by its owner. */
  readonly updatedAt: Date;
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
  readonly threshold: PublishedDecimal | null;
  /** The length of the window; null except for moved. */
  readonly windowSeconds: number | null;
  /** Which way the price has to move; null except for moved. */
  readonly direction: "up" | "down" | "either" | null;
  /** Whether it fires once and ends. */
  readonly once: boolean;
  /** Where its events are sent. */
  readonly endpointId: string;
  /**
   * armed: it fires when its condition becomes true. waiting: it is true already, or fired, and has to become false first. stale:
   * it reported that the symbol is stale. fired: it fired once and ended.
   */
  readonly state: "armed" | "waiting" | "fired" | "stale";
  /**
   * Why it is not judged now: suspended (by the operator), tier (yours no longer includes the symbol) or limit (yours includes
   * fewer alerts, and the newest are paused). It goes on as if it was made then.
   */
  readonly pausedReason: Open<"suspended" | "tier" | "limit"> | null;
  /** When it last fired; null when it has not. */
  readonly lastFiredAt: Date | null;
  /** When it was made. */
  readonly createdAt: Date;
  /** When it was last changed by its owner. */
  readonly updatedAt: Date;
  /** Whether its condition holds already at the price that you see: it then fires only after it was false. */
  readonly alreadyTrue: boolean;
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
  readonly createdAt: Date;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failingSince: Date | null;
  /** Since when nothing is sent any more; null while events are sent. */
  readonly disabledAt: Date | null;
  /**
   * Why nothing is sent: gone (it answered 410) or failing (everything failed for a week). A test that succeeds enables it again.
   */
  readonly disabledReason: Open<"gone" | "failing"> | null;
}

/** A new endpoint, with its secret. */
export interface MadeEndpoint {
  /** Endpoint id. */
  readonly id: string;
  /** Where events are posted. */
  readonly url: string;
  /** When it was made. */
  readonly createdAt: Date;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failingSince: Date | null;
  /** Since when nothing is sent any more; null while events are sent. */
  readonly disabledAt: Date | null;
  /**
   * Why nothing is sent: gone (it answered 410) or failing (everything failed for a week). A test that succeeds enables it again.
   */
  readonly disabledReason: Open<"gone" | "failing"> | null;
  /** Verifies the signatures of events, as Standard Webhooks has it; returned only here. */
  readonly secret: string;
}

/** A test event that is on its way. */
export interface TestSent {
  /** The delivery, to look it up. */
  readonly deliveryId: string;
}

/** A new secret of an endpoint. */
export interface RotatedSecret {
  /** Endpoint id. */
  readonly id: string;
  /** Verifies the signatures of events, as Standard Webhooks has it; returned only here. */
  readonly secret: string;
  /** Until when the previous secret signs as well. */
  readonly previousSecretUntil: Date;
}

/** One page of deliveries, newest first. */
export interface DeliveriesPage {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** Cursor of the next older page; null when there are no more. */
  readonly nextCursor: string | null;
}

/** An event, and what became of it. */
export interface Delivery {
  /** The event's webhook-id, the same in every try. */
  readonly id: string;
  /** The event's type. */
  readonly type: Open<WebhookType>;
  /** The alert; null for a test. */
  readonly alertId: string | null;
  /** Where it is sent. */
  readonly endpointId: string;
  /** pending: it is tried, or will be. delivered: the endpoint answered 2xx. failed: it is not tried any more. */
  readonly status: "pending" | "delivered" | "failed";
  /** How often it was tried. */
  readonly tries: number;
  /** When the event happened, with milliseconds. */
  readonly createdAt: Date;
  /** When it is tried next; null unless it is pending. */
  readonly nextTryAt: Date | null;
  /** When it was last tried; null when it was not yet. */
  readonly lastTryAt: Date | null;
  /** The HTTP status of the last try; null when there was no answer. */
  readonly lastStatus: number | null;
  /** Why the last try failed; null when it did not. */
  readonly lastError: string | null;
  /** The body as it is sent and signed; empty while your tier does not see its price. */
  readonly payload: string;
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
