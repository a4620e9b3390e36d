/** Values on the wire: currencies, metals, symbols, intervals, units, decimals and instants. */
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

/** The 31 quote currencies, ISO 4217, in alphabetical order. BGN is fixed to the euro, the others float. */
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
/** One of the 31 quote currencies. */
export type Currency = (typeof CURRENCIES)[number];

/** Metals by their trading code: XAU gold and XAG silver per troy ounce, HG copper per avoirdupois pound. */
export const METALS = ["XAU", "XAG", "HG"] as const;
/** One of the metals Assay prices. */
export type Metal = (typeof METALS)[number];

/** Contract types: immediate delivery, or the front futures contract. */
export const CONTRACT_TYPES = ["spot", "futures"] as const;
/** A contract type. */
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** Bar intervals, shortest first. */
export const INTERVALS = ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d"] as const;
/** A bar interval. */
export type Interval = (typeof INTERVALS)[number];

/** The length of each interval, in milliseconds. */
export const INTERVAL_MS: Record<Interval, number> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "30m": 30 * MINUTE_MS,
  "1h": HOUR_MS,
  "2h": 2 * HOUR_MS,
  "4h": 4 * HOUR_MS,
  "1d": DAY_MS,
};

/** Series with bars, as written on the bar routes. */
export const BAR_SYMBOLS = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT", "GC", "SI", "HG", "GLD"] as const;
/** A series with bars at every interval. */
export type BarSymbol = (typeof BAR_SYMBOLS)[number];

/** The futures contracts with settlements: COMEX gold GC and silver SI per troy ounce, copper HG per avoirdupois pound. */
export const FUTURES_SYMBOLS = ["GC", "SI", "HG"] as const;
/** A futures product. */
export type FuturesSymbol = (typeof FUTURES_SYMBOLS)[number];

/** Ratio pairs of daily closes: numerator, then denominator. */
export const RATIO_PAIRS = ["gold-silver", "gold-platinum", "silver-platinum", "gold-palladium", "gld-xau"] as const;
/** A ratio pair. */
export type RatioPair = (typeof RATIO_PAIRS)[number];

/** What a settlement comes from: a public daily close, the simulated market, or the exchange itself. */
export const SETTLEMENT_TYPES = ["proxy_daily_close", "proxy_simulated", "official_settlement"] as const;
/** What a settlement comes from; everything but the exchange's own is a proxy. */
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

/** Weight units of the metal side of a conversion. */
export const WEIGHT_UNITS = ["oz", "gram", "kg"] as const;
/** A weight unit of the convert route. */
export type WeightUnit = (typeof WEIGHT_UNITS)[number];

/** Convertible codes: gold, silver and the 31 currencies. */
export const CONVERTIBLES = ["XAU", "XAG", ...CURRENCIES] as const;

/** Symbols of the price routes, in listing order: gold by currency, then the others. */
export const SPOT_SYMBOLS = [
  ...CURRENCIES.map((currency) => `XAU-${currency}-SPOT` as const),
  "XAG-USD-SPOT",
  "HG-USD-SPOT",
  "XAU-USD-FUTURES",
  "XAG-USD-FUTURES",
  "HG-USD-FUTURES",
] as const;

/** Symbols accepted by the price routes: aliases and full forms. */
export const SPOT_NAMES = ["gold", "silver", "copper", "XAU", "XAG", "HG", ...SPOT_SYMBOLS] as const;

/** Optional field groups of a spot row, and the word for all of them. */
export const SPOT_GROUPS = ["sources", "karat", "stats", "all"] as const;

/** Karats of the per-gram prices, purest first. */
export const KARATS = [24, 22, 21, 20, 18, 16, 14, 10] as const;
/** A karat purity, in parts of 24. */
export type Karat = (typeof KARATS)[number];

/** An exact decimal as a string: plain notation, no exponent. */
export type DecimalText = string;

const DECIMAL_PATTERN = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

/**
 * A decimal amount on the wire: a JSON string in plain notation, to be parsed as a decimal.
 * @param description what the figure is, and its unit
 * @param example an example value
 */
export const decimal = (description: string, example = "4003.20") =>
  z
    .string()
    .regex(DECIMAL_PATTERN)
    .meta({ description, format: "decimal", examples: [example] });

/**
 * A decimal amount as a parameter. Callers see a number; internally it stays a string, so that no digit is lost. `Infinity` and
 * `NaN` are well-formed here and refused by the route.
 * @param description what the figure is, and its unit
 * @param whenAbsent the default amount
 */
export const decimalParameter = (description: string, whenAbsent: string) =>
  z
    .string()
    .max(40)
    .regex(/^(-?[0-9]+(\.[0-9]+)?|-?Infinity|NaN)$/, "must be a plain decimal number")
    .default(whenAbsent)
    .meta({
      description,
      format: "decimal",
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        for (const textual of ["pattern", "maxLength"]) delete jsonSchema[textual];
        Object.assign(jsonSchema, { type: "number", default: Number(whenAbsent), exclusiveMinimum: 0 });
      },
    });

/**
 * Several words in one parameter, separated by commas. Unknown words are ignored by the route.
 * @param words the known words, in listing order
 * @param description what they select
 * @param example an example value
 */
export const wordsParameter = (words: readonly string[], description: string, example: string) =>
  z
    .string()
    .max(64)
    .meta({ description, examples: [example], "x-words": words });

/** The known values of a string, for documents and clients; the route may accept or return others. */
export const known = (values: readonly string[]) => ({ "x-extensible-enum": values });

/**
 * All values of a string, for documents and clients, where the route refuses others with its own code rather than as a malformed
 * parameter.
 * @param values every accepted value
 */
export const knownOnly = (values: readonly string[]) => ({ "x-closed-enum": values });

/** The instant used in all examples, so that they agree with each other. */
export const EXAMPLE_MOMENT = "2026-11-20T14:03:27Z";

/** An instant on the wire: ISO-8601 UTC with a Z suffix. */
export const timestamp = (description: string, example = EXAMPLE_MOMENT) =>
  z.iso.datetime().meta({ description, examples: [example] });

/** A UTC calendar day on the wire, YYYY-MM-DD. */
export const calendarDay = (description: string, example = "2026-11-20") =>
  z.iso.date().meta({ description, examples: [example] });

/** A bar interval as a parameter or field. */
export const interval = z.enum(INTERVALS).meta({ description: "Bar interval" });

/** A metal code. */
export const metal = z.enum(METALS).meta({ description: "Metal code" });

/** The page size of the bar-like routes. */
export const pageLimit = z
  .int()
  .min(1)
  .max(10_000)
  .default(100)
  .meta({ description: "At most this many rows", override: { type: "integer", minimum: 1, maximum: 10_000, default: 100 } });

/**
 * Formats an instant for the wire: ISO-8601 UTC with Z; milliseconds only when not zero.
 * @param instant the instant
 * @returns for example `2026-11-20T14:03:27Z`
 */
export const formatTimestamp = (instant: Date): string => {
  const text = instant.toISOString();
  return text.endsWith(".000Z") ? `${text.slice(0, 19)}Z` : text;
};

/** One word, or an upstream's status; leaves no room for a figure. */
const ERROR_CLASS = /^(?:http_[1-5][0-9]{2}|[a-z]+(?:_[a-z]+)*)$/;

/**
 * The schema of a failure reason: a class or the name of a rule. It is public, so it has no room for a figure or a publisher's
 * text; those are in the log.
 */
export const errorClass = (description: string) =>
  z
    .string()
    .max(40)
    .regex(ERROR_CLASS)
    .meta({ description, examples: ["jump", "http_503", "timeout"] });

/** The schema of a writer's opaque id. Its name contains host and process and stays private; equal ids are the same writer. */
export const holderId = (description: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .meta({ description, examples: ["3f1c9a0b72de"] });

/** `meta.complete` of every answer that is read from stored bars. */
export const complete = z
  .literal(false)
  .optional()
  .meta({ description: "False while bars of this response are still being filled in; omitted once it is whole" });
