/**
 * Named values, as lists and as types.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */

/** The 31 quote currencies, ISO 4217. */
export const CURRENCIES = [
  "AUD",
  "BGN",
  "BRL",
  "CAD",
  "CHF",
  "CNY",
  "CZK",
  "DKK",
  "EUR",
  "GBP",
  "HKD",
  "HUF",
  "IDR",
  "ILS",
  "INR",
  "ISK",
  "JPY",
  "KRW",
  "MXN",
  "MYR",
  "NOK",
  "NZD",
  "PHP",
  "PLN",
  "RON",
  "SEK",
  "SGD",
  "THB",
  "TRY",
  "USD",
  "ZAR",
] as const;

/** The 31 quote currencies, ISO 4217. */
export type Currency = (typeof CURRENCIES)[number];

/** Symbols of the price routes: gold in the 31 currencies, silver and copper in USD, and the front futures contracts. */
export const SPOT_SYMBOLS = [
  "XAU-AUD-SPOT",
  "XAU-BGN-SPOT",
  "XAU-BRL-SPOT",
  "XAU-CAD-SPOT",
  "XAU-CHF-SPOT",
  "XAU-CNY-SPOT",
  "XAU-CZK-SPOT",
  "XAU-DKK-SPOT",
  "XAU-EUR-SPOT",
  "XAU-GBP-SPOT",
  "XAU-HKD-SPOT",
  "XAU-HUF-SPOT",
  "XAU-IDR-SPOT",
  "XAU-ILS-SPOT",
  "XAU-INR-SPOT",
  "XAU-ISK-SPOT",
  "XAU-JPY-SPOT",
  "XAU-KRW-SPOT",
  "XAU-MXN-SPOT",
  "XAU-MYR-SPOT",
  "XAU-NOK-SPOT",
  "XAU-NZD-SPOT",
  "XAU-PHP-SPOT",
  "XAU-PLN-SPOT",
  "XAU-RON-SPOT",
  "XAU-SEK-SPOT",
  "XAU-SGD-SPOT",
  "XAU-THB-SPOT",
  "XAU-TRY-SPOT",
  "XAU-USD-SPOT",
  "XAU-ZAR-SPOT",
  "XAG-USD-SPOT",
  "HG-USD-SPOT",
  "XAU-USD-FUTURES",
  "XAG-USD-FUTURES",
  "HG-USD-FUTURES",
] as const;

/** Symbols of the price routes: gold in the 31 currencies, silver and copper in USD, and the front futures contracts. */
export type SpotSymbol = (typeof SPOT_SYMBOLS)[number];

/** A series with bars: spot, the front futures contracts GC, SI and HG, or the fund GLD. */
export const BAR_SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT", "GC", "SI", "HG", "GLD"] as const;

/** A series with bars: spot, the front futures contracts GC, SI and HG, or the fund GLD. */
export type BarSymbol = (typeof BAR_SYMBOLS)[number];

/** Immediate delivery, or the front futures contract. */
export const CONTRACT_TYPES = ["spot", "futures"] as const;

/** Immediate delivery, or the front futures contract. */
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** What can be converted: gold, silver and the 31 currencies. */
export const CONVERTIBLES = ["XAU", "XAG", ...CURRENCIES] as const;

/** What can be converted: gold, silver and the 31 currencies. */
export type Convertible = (typeof CONVERTIBLES)[number];

/** COMEX gold GC and silver SI per troy ounce, copper HG per avoirdupois pound. */
export const FUTURES_SYMBOLS = ["GC", "SI", "HG"] as const;

/** COMEX gold GC and silver SI per troy ounce, copper HG per avoirdupois pound. */
export type FuturesSymbol = (typeof FUTURES_SYMBOLS)[number];

/** The length of a bar, from one minute to one UTC day. */
export const INTERVALS = ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d"] as const;

/** The length of a bar, from one minute to one UTC day. */
export type Interval = (typeof INTERVALS)[number];

/** XAU gold and XAG silver per troy ounce, HG copper per avoirdupois pound. */
export const METALS = ["XAU", "XAG", "HG"] as const;

/** XAU gold and XAG silver per troy ounce, HG copper per avoirdupois pound. */
export type Metal = (typeof METALS)[number];

/** Pairs of series whose daily closes are divided. */
export const RATIO_PAIRS = ["gold-silver", "gold-platinum", "silver-platinum", "gold-palladium", "gld-xau"] as const;

/** Pairs of series whose daily closes are divided. */
export type RatioPair = (typeof RATIO_PAIRS)[number];

/** What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own. */
export const SETTLEMENT_TYPES = ["proxy_daily_close", "proxy_simulated", "official_settlement"] as const;

/** What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own. */
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

/** Groups of fields a spot row can be asked for; `stats` needs a key. */
export const SPOT_GROUPS = ["sources", "karat", "stats", "all"] as const;

/** Groups of fields a spot row can be asked for; `stats` needs a key. */
export type SpotGroup = (typeof SPOT_GROUPS)[number];

/** A symbol of the price routes, or an alias of one. */
export const SPOT_NAMES = ["gold", "silver", "copper", "XAU", "XAG", "HG", ...SPOT_SYMBOLS] as const;

/** A symbol of the price routes, or an alias of one. */
export type SpotName = (typeof SPOT_NAMES)[number];

/** Caveats of a probability surface. */
export const SURFACE_FLAGS = [
  "european_approximation",
  "proxy_underlying",
  "discount_from_rate",
  "basis_from_rate",
  "crosses_calendar",
  "ladder_out_of_order",
  "options_only",
  "prediction_markets_only",
] as const;

/** Caveats of a probability surface. */
export type SurfaceFlag = (typeof SURFACE_FLAGS)[number];

/** Metals that have a probability surface. */
export const SURFACE_METALS = ["xau", "xag"] as const;

/** Metals that have a probability surface. */
export type SurfaceMetal = (typeof SURFACE_METALS)[number];

/** Tiers, lowest first. Callers without a key have the tier `free`. */
export const TIER_NAMES = ["free", "basic", "physical", "pro", "realtime_pro"] as const;

/** Tiers, lowest first. Callers without a key have the tier `free`. */
export type TierName = (typeof TIER_NAMES)[number];

/** Weight units of the metal side of a conversion; `oz` is the troy ounce. */
export const WEIGHT_UNITS = ["oz", "gram", "kg"] as const;

/** Weight units of the metal side of a conversion; `oz` is the troy ounce. */
export type WeightUnit = (typeof WEIGHT_UNITS)[number];

/** Error codes of the service; each has its own class. */
export const ERROR_CODES = [
  "invalid_symbol",
  "bad_request",
  "unsupported_currency",
  "unsupported_unit",
  "range_too_deep",
  "unknown_pair",
  "invalid_api_key",
  "unauthenticated",
  "authentication_required",
  "plan_gated",
  "link_expired",
  "not_found",
  "disabled",
  "key_not_found",
  "key_limit_reached",
  "unknown_metal",
  "unknown_horizon",
  "method_not_allowed",
  "payload_too_large",
  "validation_error",
  "invalid_horizon",
  "rate_limited",
  "rate_limit_exceeded",
  "quota_exceeded",
  "storage_unavailable",
  "storage_error",
  "auth_unavailable",
  "spot_unavailable",
  "no_horizons_available",
  "service_unavailable",
] as const;

/** Error codes of the service; each has its own class. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A list that may grow: editors suggest the values known today, and any text is accepted. */
export type Open<Known extends string> = Known | (string & {});
