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

/** Weight units dealers quote in; `oz` is the troy ounce. */
export const DEALER_WEIGHT_UNITS = ["oz", "gram", "kg", "tola", "tael", "luong", "chi"] as const;

/** Weight units dealers quote in; `oz` is the troy ounce. */
export type DealerWeightUnit = (typeof DEALER_WEIGHT_UNITS)[number];

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

/** A series with bars: spot, the futures GC, SI and HG, or the fund GLD. */
export const BAR_SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT", "GC", "SI", "HG", "GLD"] as const;

/** A series with bars: spot, the futures GC, SI and HG, or the fund GLD. */
export type BarSymbol = (typeof BAR_SYMBOLS)[number];

/** Immediate delivery, or the front futures contract. */
export const CONTRACT_TYPES = ["spot", "futures"] as const;

/** Immediate delivery, or the front futures contract. */
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** What can be converted: gold, silver and the 31 currencies. */
export const CONVERTIBLES = ["XAU", "XAG", ...CURRENCIES] as const;

/** What can be converted: gold, silver and the 31 currencies. */
export type Convertible = (typeof CONVERTIBLES)[number];

/** Currencies that pieces are priced in: those quoted, and others of the catalogue. */
export const COUNTER_CURRENCIES = ["AED", "EGP", "NPR", "PKR", "SAR", "VND", ...CURRENCIES] as const;

/** Currencies that pieces are priced in: those quoted, and others of the catalogue. */
export type CounterCurrency = (typeof COUNTER_CURRENCIES)[number];

/** A metal in a quote currency, for daily series. */
export const CROSSES = [
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
  "XAG-AUD-SPOT",
  "XAG-BGN-SPOT",
  "XAG-BRL-SPOT",
  "XAG-CAD-SPOT",
  "XAG-CHF-SPOT",
  "XAG-CNY-SPOT",
  "XAG-CZK-SPOT",
  "XAG-DKK-SPOT",
  "XAG-EUR-SPOT",
  "XAG-GBP-SPOT",
  "XAG-HKD-SPOT",
  "XAG-HUF-SPOT",
  "XAG-IDR-SPOT",
  "XAG-ILS-SPOT",
  "XAG-INR-SPOT",
  "XAG-ISK-SPOT",
  "XAG-JPY-SPOT",
  "XAG-KRW-SPOT",
  "XAG-MXN-SPOT",
  "XAG-MYR-SPOT",
  "XAG-NOK-SPOT",
  "XAG-NZD-SPOT",
  "XAG-PHP-SPOT",
  "XAG-PLN-SPOT",
  "XAG-RON-SPOT",
  "XAG-SEK-SPOT",
  "XAG-SGD-SPOT",
  "XAG-THB-SPOT",
  "XAG-TRY-SPOT",
  "XAG-USD-SPOT",
  "XAG-ZAR-SPOT",
  "HG-AUD-SPOT",
  "HG-BGN-SPOT",
  "HG-BRL-SPOT",
  "HG-CAD-SPOT",
  "HG-CHF-SPOT",
  "HG-CNY-SPOT",
  "HG-CZK-SPOT",
  "HG-DKK-SPOT",
  "HG-EUR-SPOT",
  "HG-GBP-SPOT",
  "HG-HKD-SPOT",
  "HG-HUF-SPOT",
  "HG-IDR-SPOT",
  "HG-ILS-SPOT",
  "HG-INR-SPOT",
  "HG-ISK-SPOT",
  "HG-JPY-SPOT",
  "HG-KRW-SPOT",
  "HG-MXN-SPOT",
  "HG-MYR-SPOT",
  "HG-NOK-SPOT",
  "HG-NZD-SPOT",
  "HG-PHP-SPOT",
  "HG-PLN-SPOT",
  "HG-RON-SPOT",
  "HG-SEK-SPOT",
  "HG-SGD-SPOT",
  "HG-THB-SPOT",
  "HG-TRY-SPOT",
  "HG-USD-SPOT",
  "HG-ZAR-SPOT",
] as const;

/** A metal in a quote currency, for daily series. */
export type Cross = (typeof CROSSES)[number];

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

/** Units that prices are per. */
export const PRICE_UNITS = ["troy_ounce", "pound"] as const;

/** Units that prices are per. */
export type PriceUnit = (typeof PRICE_UNITS)[number];

/** Pairs of series whose daily closes are divided. */
export const RATIO_PAIRS = ["gold-silver", "gold-platinum", "silver-platinum", "gold-palladium", "gld-xau"] as const;

/** Pairs of series whose daily closes are divided. */
export type RatioPair = (typeof RATIO_PAIRS)[number];

/** What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own. */
export const SETTLEMENT_TYPES = ["proxy_daily_close", "proxy_simulated", "official_settlement"] as const;

/** What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own. */
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

/** Groups of fields a spot row can be asked for; anonymous callers do not get `stats`. */
export const SPOT_GROUPS = ["sources", "karat", "stats", "all"] as const;

/** Groups of fields a spot row can be asked for; anonymous callers do not get `stats`. */
export type SpotGroup = (typeof SPOT_GROUPS)[number];

/** A symbol of the price routes, or an alias of one. */
export const SPOT_NAMES = ["gold", "silver", "copper", "XAU", "XAG", "HG", ...SPOT_SYMBOLS] as const;

/** A symbol of the price routes, or an alias of one. */
export type SpotName = (typeof SPOT_NAMES)[number];

/** Every unit of weight; `oz` is the troy ounce. */
export const UNITS = ["troy_ounce", "pound", "ten_gram", "baht", ...DEALER_WEIGHT_UNITS] as const;

/** Every unit of weight; `oz` is the troy ounce. */
export type Unit = (typeof UNITS)[number];

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

/** Tiers, lowest first. Callers without a key have the tier `free`, unless the service says otherwise. */
export const TIER_NAMES = ["free", "basic", "physical", "pro", "realtime_pro"] as const;

/** Tiers, lowest first. Callers without a key have the tier `free`, unless the service says otherwise. */
export type TierName = (typeof TIER_NAMES)[number];

/** What an event says. */
export const WEBHOOK_TYPES = [
  "price.above",
  "price.below",
  "price.moved",
  "price.stale",
  "price.fresh",
  "price.withdrawn",
  "endpoint.test",
] as const;

/** What an event says. */
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

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
  "unknown_past",
  "unknown_pair",
  "invalid_api_key",
  "unauthenticated",
  "authentication_required",
  "plan_gated",
  "link_expired",
  "key_in_grace",
  "not_found",
  "disabled",
  "key_not_found",
  "alert_not_found",
  "endpoint_not_found",
  "delivery_not_found",
  "unknown_metal",
  "unknown_horizon",
  "method_not_allowed",
  "key_limit_reached",
  "alert_limit_reached",
  "endpoint_limit_reached",
  "endpoint_in_use",
  "payload_too_large",
  "unsupported_media_type",
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
