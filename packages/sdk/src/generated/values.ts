/**
 * Values that have a name.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */

/** A series with bars: spot, the front futures contracts GC, SI and HG, or the fund GLD. */
export type BarSymbol = "XAU-USD-SPOT" | "XAG-USD-SPOT" | "HG-USD-SPOT" | "GC" | "SI" | "HG" | "GLD";

/** Immediate delivery, or the front futures contract. */
export type ContractType = "spot" | "futures";

/** What can be converted: gold, silver and the 31 currencies. */
export type Convertible = "XAU" | "XAG" | Currency;

/** The 31 quote currencies, ISO 4217. */
export type Currency =
  | "AUD"
  | "BGN"
  | "BRL"
  | "CAD"
  | "CHF"
  | "CNY"
  | "CZK"
  | "DKK"
  | "EUR"
  | "GBP"
  | "HKD"
  | "HUF"
  | "IDR"
  | "ILS"
  | "INR"
  | "ISK"
  | "JPY"
  | "KRW"
  | "MXN"
  | "MYR"
  | "NOK"
  | "NZD"
  | "PHP"
  | "PLN"
  | "RON"
  | "SEK"
  | "SGD"
  | "THB"
  | "TRY"
  | "USD"
  | "ZAR";

/** COMEX gold GC and silver SI per troy ounce, copper HG per avoirdupois pound. */
export type FuturesSymbol = "GC" | "SI" | "HG";

/** The length of a bar, from one minute to one UTC day. */
export type Interval = "1m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "1d";

/** XAU gold and XAG silver per troy ounce, HG copper per avoirdupois pound. */
export type Metal = "XAU" | "XAG" | "HG";

/** Pairs of series whose daily closes are divided. */
export type RatioPair = "gold-silver" | "gold-platinum" | "silver-platinum" | "gold-palladium" | "gld-xau";

/** What a settlement is: a public daily close or a simulated figure in its place, or the exchange's own. */
export type SettlementType = "proxy_daily_close" | "proxy_simulated" | "official_settlement";

/** Groups of fields a spot row can be asked for; `stats` needs a key. */
export type SpotGroup = "sources" | "karat" | "stats" | "all";

/** What a reader of a probability surface should know of it. */
export type SurfaceFlag =
  | "european_approximation"
  | "proxy_underlying"
  | "discount_from_rate"
  | "basis_from_rate"
  | "crosses_calendar"
  | "ladder_out_of_order"
  | "options_only"
  | "prediction_markets_only";

/** Metals that have a probability surface. */
export type SurfaceMetal = "xau" | "xag";

/** Tiers, lowest first. Callers without a key have the tier `free`. */
export type TierName = "free" | "basic" | "physical" | "pro" | "realtime_pro";

/** Weight units of the metal side of a conversion; `oz` is the troy ounce. */
export type WeightUnit = "oz" | "gram" | "kg";

/** A list that may grow: editors suggest the values known today, and any text is taken. */
export type Open<Known extends string> = Known | (string & {});
