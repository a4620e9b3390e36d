/** The series with bars as TradingView's protocol describes symbols. */
import { BAR_SYMBOLS, type BarSymbol, type Interval } from "@assay/contract";
import { readBarSymbol } from "@assay/pricing";

/** The protocol's resolutions, in minutes and days, and our intervals. */
export const RESOLUTIONS = {
  "1": "1m",
  "5": "5m",
  "15": "15m",
  "30": "30m",
  "60": "1h",
  "120": "2h",
  "240": "4h",
  "1D": "1d",
} as const satisfies Record<string, Interval>;

/** The protocol's names of the resolutions, shortest first. */
export const RESOLUTION_NAMES = Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[]; // of the object above

const EXCHANGE = "Assay";

/** What a series is called, what it is, and the decimals of its prices as published. */
const SERIES: Record<BarSymbol, { readonly description: string; readonly type: string; readonly decimals: number }> = {
  "XAU-USD-SPOT": { description: "Gold spot, USD per troy ounce", type: "spot", decimals: 2 },
  "XAG-USD-SPOT": { description: "Silver spot, USD per troy ounce", type: "spot", decimals: 4 },
  "HG-USD-SPOT": { description: "Copper spot, USD per pound", type: "spot", decimals: 4 },
  GC: { description: "Gold futures, USD per troy ounce", type: "futures", decimals: 2 },
  SI: { description: "Silver futures, USD per troy ounce", type: "futures", decimals: 4 },
  HG: { description: "Copper futures, USD per pound", type: "futures", decimals: 4 },
  GLD: { description: "SPDR Gold Shares, USD per share", type: "fund", decimals: 2 },
};

/** Reads a symbol as charts write it, with or without the exchange. */
export const readUdfSymbol = (text: string): BarSymbol | null => readBarSymbol(text.replace(/^assay:/i, ""));

/**
 * What a chart needs to know of a symbol. The session is every hour of UTC, because bars are cut there: a day's bar is that of the
 * UTC day, and hours without trading have no bars.
 */
export const symbolInfo = (symbol: BarSymbol) => {
  const { description, type, decimals } = SERIES[symbol];
  return {
    name: symbol,
    ticker: symbol,
    full_name: symbol,
    description,
    type,
    exchange: EXCHANGE,
    listed_exchange: EXCHANGE,
    timezone: "Etc/UTC",
    session: "24x7",
    format: "price",
    minmov: 1,
    pricescale: 10 ** decimals,
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: false,
    intraday_multipliers: RESOLUTION_NAMES.filter((name) => name !== "1D"),
    supported_resolutions: RESOLUTION_NAMES,
    visible_plots_set: type === "spot" ? "ohlc" : "ohlcv",
    volume_precision: 0,
    currency_code: "USD",
  };
};

/** The symbols whose name or description holds all words of a query. */
export const searchSymbols = (query: string, type: string, limit: number) => {
  const words = query.toLowerCase().split(/[\s/:]+/);
  return BAR_SYMBOLS.map(symbolInfo)
    .filter((info) => type === "" || info.type === type)
    .filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)))
    .slice(0, limit)
    .map(({ name, full_name, ticker, description, exchange, type: kind }) => ({
      symbol: name,
      full_name,
      ticker,
      description,
      exchange,
      type: kind,
    }));
};

/** What the data feed can do. Types are those of the symbols. */
export const CONFIGURATION = {
  supports_search: true,
  supports_group_request: false,
  supports_marks: false,
  supports_timescale_marks: false,
  supports_time: true,
  supported_resolutions: RESOLUTION_NAMES,
  exchanges: [{ value: "", name: "All exchanges", desc: "" }],
  symbols_types: [
    { name: "All types", value: "" },
    { name: "Spot", value: "spot" },
    { name: "Futures", value: "futures" },
    { name: "Funds", value: "fund" },
  ],
};
