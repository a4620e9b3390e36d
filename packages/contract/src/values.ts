/** Values on the wire: currencies, metals, symbols, intervals, units, decimals and instants. */
import { catalogue } from "@assay/catalogue";
import { z } from "zod";

/** A second, in milliseconds. */
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of 24 hours, as every day in UTC is. */
export const DAY_MS = 24 * HOUR_MS;

/** The midnight, UTC, before or at an instant. */
export const startOfUtcDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

/** The quote currencies, ISO 4217, in alphabetical order. */
export const CURRENCIES: readonly Currency[] = catalogue.quoted.map(({ code }) => code);
/** A quote currency of the running catalogue. */
export type Currency = string;

/** Metals with a spot price, by their trading code. */
export const METALS: readonly Metal[] = catalogue.spotMetals.map(({ code }) => code);
/** A metal of the running catalogue. */
export type Metal = string;

/** Contract types: immediate delivery, or the front futures contract. */
export const CONTRACT_TYPES = ["spot", "futures"] as const;
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** Bar intervals, shortest first. */
export const INTERVALS = ["1m", "5m", "15m", "30m", "1h", "2h", "4h", "1d"] as const;
export type Interval = (typeof INTERVALS)[number];

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

/** Series with bars, as written on the bar routes: spot, futures products, funds. */
export const BAR_SYMBOLS: readonly BarSymbol[] = catalogue.instruments.map(({ barSymbol }) => barSymbol);
/** A series with bars at every interval. */
export type BarSymbol = string;

/** Metals with a futures curve, by their trading code. */
export const FUTURES_METALS: readonly Metal[] = catalogue.spotMetals
  .filter(({ futures }) => futures !== null)
  .map(({ code }) => code);

/** The futures products with settlements. */
export const FUTURES_SYMBOLS: readonly FuturesSymbol[] = catalogue.instruments.flatMap(({ kind, barSymbol }) =>
  kind === "futures" ? [barSymbol] : [],
);
export type FuturesSymbol = string;

/** Ratio pairs of daily closes, named numerator, then denominator. */
export const RATIO_PAIRS: readonly RatioPair[] = catalogue.ratios.map(({ pair }) => pair);
export type RatioPair = string;

/** What a settlement comes from: a public daily close, the simulated market, or the exchange itself. */
export const SETTLEMENT_TYPES = ["proxy_daily_close", "proxy_simulated", "official_settlement"] as const;
/** What a settlement comes from; everything but the exchange's own is a proxy. */
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

export const PRICE_UNITS: readonly string[] = catalogue.unitsFor("price");

/** Weight units of the metal side of a conversion. */
export const WEIGHT_UNITS: readonly WeightUnit[] = catalogue.unitsFor("convert");
/** A weight unit of the convert route. */
export type WeightUnit = string;

export const DEALER_WEIGHT_UNITS: readonly DealerWeightUnit[] = catalogue.unitsFor("dealers");
export type DealerWeightUnit = string;

export const CONVERT_METALS: readonly Metal[] = catalogue.spotMetals
  .filter(({ convertible }) => convertible)
  .map(({ code }) => code);

/** Convertible codes: metals, then currencies. */
export const CONVERTIBLES: readonly string[] = [...CONVERT_METALS, ...CURRENCIES];

/** Crosses: every spot metal in every quote currency. */
export const CROSSES: readonly string[] = catalogue.spotMetals.flatMap(({ code }) =>
  CURRENCIES.map((currency) => `${code}-${currency}-SPOT`),
);

export const UNITS: readonly string[] = catalogue.rows.units.map(({ code }) => code);

/** Symbols of the price routes, in listing order: spot of each metal by currency, then futures. */
export const SPOT_SYMBOLS: readonly string[] = catalogue.priceSymbols.map(({ symbol }) => symbol);

/** Symbols accepted by the price routes: aliases and full forms. */
export const SPOT_NAMES: readonly string[] = [
  ...catalogue.spotMetals.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
  ...METALS,
  ...SPOT_SYMBOLS,
];

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

/** A number as programs write it: `10`, `2.5`, `.5`, `1e-7`. The exponent is short, because the number is written out. */
const NUMBER_PATTERN = /^(-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?|-?Infinity|NaN)$/;

/** Writes out a number of that pattern: without an exponent, and with a digit before the point. */
const writtenOut = (text: string): DecimalText => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)([0-9]*)\.?([0-9]*)(?:[eE](.+))?$/.exec(text) ?? [];
  if (whole === "" && fraction === "") return text; // Infinity, NaN
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${whole}${fraction}`;
  const digits = `${whole}${fraction}`.padEnd(point, "0");
  const decimals = digits.slice(point);
  return `${sign}${digits.slice(0, point)}${decimals && `.${decimals}`}`;
};

/**
 * A decimal amount as a parameter. Callers see a number; internally it is text in plain notation, so that no digit is lost.
 * `Infinity` and `NaN` are well-formed here and refused by the route.
 * @param description what the figure is, and its unit
 * @param whenAbsent the default amount
 */
export const decimalParameter = (description: string, whenAbsent: string) =>
  z
    .string()
    .max(40)
    .regex(NUMBER_PATTERN, "must be a decimal number, such as 2.5 or 1e-7")
    .overwrite(writtenOut)
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

/** The one optional group of an answer that is made of a single price. */
export const includeSources = wordsParameter(
  ["sources", "all"],
  "Groups to add: sources, what the figures are made of. Unknown ones are ignored.",
  "sources",
).optional();

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
export const EXAMPLE_READING = "2026-11-20T14:03:27.000Z";

/** An instant on the wire: ISO-8601 UTC in whole seconds, with a Z suffix. */
export const timestamp = (description: string, example = EXAMPLE_MOMENT) =>
  z.iso.datetime({ precision: 0 }).meta({ description, examples: [example] });

/** A reading of the service's clock, which clients compare with their own: the same with milliseconds, always three digits. */
export const clockReading = (description: string) =>
  z.iso.datetime({ precision: 3 }).meta({ description: `${description}, with milliseconds`, examples: [EXAMPLE_READING] });

/** The instant an answer is repeated for: what this service had committed by then. */
export const knownAt = z
  .string()
  .min(1)
  .max(32)
  .meta({
    description:
      "Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest",
    examples: ["2026-11-20T14:00:00Z"],
    format: "date-time",
  })
  .optional();

/** A UTC calendar day on the wire, YYYY-MM-DD. */
export const calendarDay = (description: string, example = "2026-11-20") =>
  z.iso.date().meta({ description, examples: [example] });

/** A bar interval as a parameter or field. */
export const interval = z.enum(INTERVALS).meta({ description: "Bar interval" });

export const metal = z.enum(METALS).meta({ description: "Metal code" });

/** The page size of the bar-like routes. */
export const pageLimit = z
  .int()
  .min(1)
  .max(10_000)
  .default(100)
  .meta({ description: "At most this many rows", override: { type: "integer", minimum: 1, maximum: 10_000, default: 100 } });

/** Which row a list begins with: the newest, or the oldest. */
export type PageOrder = "desc" | "asc";

/** The order of a list that pages both ways. */
export const pageOrder = z
  .enum(["desc", "asc"])
  .default("desc")
  .meta({ description: "desc, newest first, or asc, oldest first; the same for every page of a walk" });

export const wholeNumber = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });

/** A parameter that is a calendar day. */
export const dayParameter = (description: string, example: string) =>
  z.iso.date({ error: "must be an existing date, YYYY-MM-DD" }).meta({ description, examples: [example] });

/**
 * Formats an instant for the wire, as `timestamp` declares it. What is left of a second is cut off: a price never looks younger
 * than it is.
 * @returns for example `2026-11-20T14:03:27Z`
 */
export const formatTimestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** As `formatTimestamp`; null stays null. */
export const formatOptionalTimestamp = (ms: number | null): string | null => (ms === null ? null : formatTimestamp(ms));

/** The instant that `formatTimestamp` shows: what ends at a time that is shown ends at this one. */
export const shownSecond = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/**
 * Formats the instant something may be tried again, rounded up: whoever waits for it does not come too early.
 * @returns as `formatTimestamp`
 */
export const formatDeadline = (ms: number): string => formatTimestamp(Math.ceil(ms / SECOND_MS) * SECOND_MS);

/**
 * Formats a reading of a clock for the wire, as `clockReading` declares it.
 * @returns for example `2026-11-20T14:03:27.000Z`
 */
export const formatClockReading = (ms: number): string => new Date(ms).toISOString();

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

const PLAIN = /^[\0-\x7f]*$/;

/**
 * Upper-cases the letters a to z of a name, without folding look-alike letters of other scripts.
 * @returns the text unchanged when it contains anything but ASCII: no name in Assay does, while "ı" would become "I" and "ſ" "S"
 */
export const upperCase = (text: string): string => (PLAIN.test(text) ? text.toUpperCase() : text);

/** Why a figure is stale; absent when it is not. */
export const staleReason = (description: string) =>
  z.enum(["market_closed", "feed_down", "fx_fallback"]).optional().meta({ description });
