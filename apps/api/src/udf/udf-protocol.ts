/**
 * TradingView's protocol: the parameters of its requests, as strict as those of the API, and the series with bars as its
 * symbols.
 */
import { catalogue, type InstrumentRow } from "@assay/catalogue";
import { BAR_SYMBOLS, type BarSymbol, type Interval } from "@assay/contract";
import { readBarSymbol } from "@assay/pricing";
import type { FailInput } from "@assay/services";
import { z } from "zod";

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
const describe = ({ kind, metal, instrument, decimals }: InstrumentRow) => {
  if (kind === "fund") return { description: `${fundName(instrument)}, USD per share`, type: kind, decimals };
  const name = `${metal.name.charAt(0).toUpperCase()}${metal.name.slice(1)}`;
  const unit = metal.unit.replaceAll("_", " ");
  return { description: `${name} ${kind}, USD per ${unit}`, type: kind, decimals };
};

const fundName = (code: string): string => catalogue.rows.funds.find((fund) => fund.code === code)?.name ?? code;

const SERIES = new Map(catalogue.instruments.map((row) => [row.barSymbol, describe(row)]));

/** Reads a symbol as charts write it, with or without the exchange. */
export const readUdfSymbol = (text: string): BarSymbol | null => readBarSymbol(text.replace(/^assay:/i, ""));

/**
 * What a chart needs to know of a symbol. The session is every hour of UTC, because bars are cut there: a day's bar is that of the
 * UTC day, and hours without trading have no bars.
 */
export const symbolInfo = (symbol: BarSymbol) => {
  const { description = symbol, type = "spot", decimals = 2 } = SERIES.get(symbol) ?? {};
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

const whole = (message: string) =>
  z
    .string()
    .regex(/^[0-9]{1,10}$/, message)
    .transform(Number);

/** Charts ask from before 1970, and from years of three digits. */
const unixSeconds = z
  .string()
  .regex(/^(?:[0-9]{1,10}|-[0-9]{1,11})$/, "must be Unix seconds")
  .transform(Number);

const symbol = z.string().min(1).max(64);

/** The currency a chart shows a symbol in, if it names one. */
const currencyCode = z.literal("USD", "must be USD: there are no bars in other currencies").optional();

/** GET /udf/history */
export const historyQuery = z.object({
  symbol,
  // Charts write a day either way.
  resolution: z
    .string()
    .transform((text) => (text === "D" ? "1D" : text))
    .pipe(z.enum(RESOLUTION_NAMES, `must be one of ${RESOLUTION_NAMES.join(", ")}`)),
  from: unixSeconds.default(0),
  to: unixSeconds,
  countback: whole("must be a whole number in digits").optional(),
  currencyCode,
});

/** GET /udf/symbols */
export const symbolsQuery = z.object({ symbol, currencyCode });

/** GET /udf/search */
export const searchQuery = z.object({
  query: z.string().max(64).default(""),
  type: z.string().max(16).default(""),
  exchange: z.string().max(16).default(""),
  limit: whole("must be a whole number in digits").default(30),
});

/**
 * Reads a query string.
 * @param fail receives validation_error with every invalid parameter
 */
export const readUdfQuery = <S extends z.ZodObject>(schema: S, search: URLSearchParams, fail: FailInput): z.output<S> => {
  const repeated = Object.keys(schema.shape).filter((name) => search.getAll(name).length > 1);
  const parsed = schema.safeParse(Object.fromEntries(search));
  if (parsed.success && repeated.length === 0) return parsed.data;
  const issues = repeated.map((name) => ({ path: ["query", name], code: "repeated", message: "must be given once" }));
  for (const { path, code, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    if (!repeated.includes(name)) {
      issues.push({ path: ["query", name], code, message: search.has(name) ? message : "is required" });
    }
  }
  return fail("validation_error", { issues });
};
