/**
 * What a replay file contains: each kind of line as a strict schema, in which missing, unknown and malformed fields are refused,
 * and as the record it is read as.
 */
import { catalogue, spotSymbol } from "@assay/catalogue";
import { type DecimalText, FUTURES_SYMBOLS, INTERVALS, SETTLEMENT_TYPES, SURFACE_METALS } from "@assay/contract";
import {
  DAILY_SYMBOLS,
  type DailySymbol,
  INSTRUMENTS,
  type MarketReading,
  type PriceObservation,
  readFuturesContract,
} from "@assay/pricing";
import { z } from "zod";

const PLAIN = /^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/;

/** Well-formed decimal text. Whether the figure is plausible is up to the validation rules, which count refusals. */
export const decimalText = z.string("must be decimal text, in quotes").regex(PLAIN, "must be decimal text in plain notation");

const isPositive = (text: string): boolean => !text.startsWith("-") && !/^[0.]+$/.test(text);

const positiveText = decimalText.refine(isPositive, "must be above zero");

/** Decimal text, zero or above. */
const notNegativeText = decimalText.refine((text) => !text.startsWith("-"), "must not be negative");

/** Decimal text from 0 to 1: the price of a contract that pays one dollar. */
const probabilityText = decimalText.refine((text) => /^(0(\.[0-9]+)?|1(\.0+)?)$/.test(text), "must be from 0 to 1");

/** An instant, in epoch milliseconds. */
export const instant = z.iso
  .datetime("must be an ISO-8601 instant in UTC, such as 2026-11-21T01:00:00Z")
  .transform((text) => Date.parse(text.replace(/\.([0-9]{1,3})[0-9]*Z$/, ".$1Z")));

export const day = z.iso.date("must be a day, YYYY-MM-DD");

export const currencyCode = z.string("must be a currency code").regex(/^[A-Z]{3}$/, "must be a currency code");

/** A source's name, as shown in answers and in the status. */
const sourceName = z
  .string("must be a name")
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be a name of letters, digits, dots and dashes");

/** A human-readable text. */
export const label = z.string("must be text").min(1, "must not be empty").max(120, "must be at most 120 characters");

export const count = z.int("must be a whole number").min(0, "must not be negative");

export const word = <const W extends readonly string[]>(...words: W) => z.enum(words, `must be one of ${words.join(", ")}`);

const attribution = { source: sourceName, observed_at: instant };

/** What a line may state about its source. */
const conduct = {
  origin: sourceName.optional(),
  required: z.boolean("must be true or false").optional(),
  expected_interval_seconds: z
    .number("must be a number")
    .positive("must be above zero")
    .max(604_800, "must be a week at most")
    .optional(),
};

const spot = z.strictObject({
  kind: z.literal("spot"),
  ...attribution,
  ...conduct,
  role: word("primary", "council", "informational").optional(),
  instrument: word(...INSTRUMENTS),
  price: decimalText,
  bid: decimalText.optional(),
  ask: decimalText.optional(),
  volume: decimalText.optional(),
});

const fx = z.strictObject({
  kind: z.literal("fx"),
  ...attribution,
  ...conduct,
  role: word("live", "reference"),
  base: currencyCode,
  rates: z
    .record(currencyCode, decimalText, "must be rates by currency code")
    .refine((rates) => Object.keys(rates).length > 0, "must hold a rate"),
});

/** Metals with daily bars only may be named by their code alone. */
const SHORT_SYMBOLS: Record<string, DailySymbol> = Object.fromEntries(
  catalogue.dailyMetals.map(({ code }) => [code, spotSymbol(code)]),
);

const bar = z.strictObject({
  kind: z.literal("bar"),
  ...attribution,
  symbol: word(...DAILY_SYMBOLS, ...Object.keys(SHORT_SYMBOLS)).transform(
    (symbol): DailySymbol => SHORT_SYMBOLS[symbol] ?? (symbol as DailySymbol),
  ), // short forms are mapped
  interval: word(...INTERVALS),
  bar_start: instant,
  open: decimalText,
  high: decimalText,
  low: decimalText,
  close: decimalText,
  volume: notNegativeText.nullable(),
});

const settlement = z.strictObject({
  kind: z.literal("settlement"),
  ...attribution,
  source_type: word(...SETTLEMENT_TYPES).optional(),
  symbol: word(...FUTURES_SYMBOLS),
  contract: z.string("must be text").refine((name) => readFuturesContract(name) !== null, "must be a contract such as GCZ26"),
  settlement_date: day,
  price: positiveText,
  volume: count.nullable(),
  open_interest: count.nullable(),
});

const dealer = z.strictObject({
  kind: z.literal("dealer"),
  ...attribution,
  country: word("AE", "CN", "EG", "HK", "ID", "IN", "JP", "MY", "NP", "PK", "SA", "VN"),
  dealer: label,
  product: label,
  karat: z.number("must be a number").min(1, "must be from 1 to 24").max(24, "must be from 1 to 24"),
  weight: positiveText,
  weight_unit: word("gram", "kg", "oz", "tola", "tael", "luong", "chi"),
  currency: currencyCode,
  sell: positiveText.nullable(),
  buyback: positiveText.nullable(),
});

const option = z.strictObject({
  kind: z.literal("option"),
  ...attribution,
  metal: word(...SURFACE_METALS.map((metal) => metal.toUpperCase())),
  expiry: day,
  side: word("call", "put"),
  strike: positiveText,
  bid: notNegativeText.nullable(),
  ask: notNegativeText.nullable(),
  bid_size: notNegativeText.nullable(),
  ask_size: notNegativeText.nullable(),
  style: word("european", "american"),
});

const market = z.strictObject({
  kind: z.literal("market"),
  ...attribution,
  metal: word(...SURFACE_METALS.map((metal) => metal.toUpperCase())),
  expiry: day,
  market_id: label,
  condition: word("above", "touch"),
  strike: positiveText,
  yes_bid: probabilityText.nullable(),
  yes_ask: probabilityText.nullable(),
  bid_size_usd: notNegativeText.nullable(),
  ask_size_usd: notNegativeText.nullable(),
  fee_model: z.string("must be text").regex(/^[a-z][a-z0-9_-]{0,31}$/, "must be a name such as kalshi"),
});

const silence = z.strictObject({ kind: z.literal("silence"), ...attribution });

/** Any line of a replay file, with instants as epoch milliseconds and figures as written. */
export const replayLine = z
  .discriminatedUnion("kind", [spot, fx, bar, settlement, dealer, option, market, silence])
  .superRefine((line, context) => {
    if (line.kind === "settlement" && !line.contract.startsWith(line.symbol)) {
      context.addIssue({ code: "custom", path: ["contract"], message: `must be a contract of ${line.symbol}` });
    }
    if (line.kind === "dealer" && line.sell === null && line.buyback === null) {
      context.addIssue({ code: "custom", path: ["sell"], message: "must not be null beside a null buyback" });
    }
  });

export type ReplayLine = z.output<typeof replayLine>;
export type ReplayLineOf<K extends ReplayLine["kind"]> = Extract<ReplayLine, { kind: K }>;

interface Origin {
  readonly source: string;
  readonly observedAtMs: number;
}

/** A dealer's price of one product, in the dealer's currency for its whole weight. */
interface DealerRecord extends Origin {
  readonly kind: "dealer";
  /** ISO 3166-1 alpha-2. */
  readonly country: ReplayLineOf<"dealer">["country"];
  readonly dealer: string;
  readonly product: string;
  readonly karat: number;
  readonly weight: DecimalText;
  readonly weightUnit: ReplayLineOf<"dealer">["weight_unit"];
  readonly currency: string;
  /** What a customer pays; null where it is not published. */
  readonly sell: DecimalText | null;
  /** What a customer is paid. */
  readonly buyback: DecimalText | null;
}

/** An option's quotes, in USD per troy ounce; null for a missing side. */
export interface OptionRecord extends Origin {
  readonly kind: "option";
  readonly metal: string;
  /** YYYY-MM-DD. */
  readonly expiry: string;
  readonly side: "call" | "put";
  readonly strike: DecimalText;
  readonly bid: DecimalText | null;
  readonly ask: DecimalText | null;
  readonly bidSize: DecimalText | null;
  readonly askSize: DecimalText | null;
  readonly style: "european" | "american";
}

/** A prediction market's book: prices from 0 to 1 of a contract that pays one dollar. */
export interface MarketRecord extends MarketReading {
  readonly kind: "market";
}

/** The source is silent from here on. */
interface SilenceRecord extends Origin {
  readonly kind: "silence";
}

export type ReplayRecord = PriceObservation | DealerRecord | OptionRecord | MarketRecord | SilenceRecord;

/**
 * A line as a record.
 * @param freshForMs how long a currency table of this source stays fresh
 */
export const recordOf = (line: ReplayLine, freshForMs: number): ReplayRecord => {
  const origin = { source: line.source, observedAtMs: line.observed_at };
  switch (line.kind) {
    case "spot": {
      const { bid, ask, volume } = line;
      const stated = {
        ...(bid !== undefined && { bid }),
        ...(ask !== undefined && { ask }),
        ...(volume !== undefined && { volume }),
      };
      return { kind: "spot", ...origin, instrument: line.instrument, price: line.price, ...stated };
    }
    case "fx":
      return { kind: "fx", ...origin, role: line.role, base: line.base, rates: line.rates, freshForMs };
    case "bar": {
      const { symbol, interval, open, high, low, close, volume } = line;
      return { kind: "bar", ...origin, symbol, interval, barStartMs: line.bar_start, open, high, low, close, volume };
    }
    case "settlement": {
      const { symbol, contract: futuresContract, settlement_date: settlementDate, price, volume } = line;
      return {
        kind: "settlement",
        ...origin,
        sourceType: line.source_type ?? "proxy_daily_close",
        symbol,
        futuresContract,
        settlementDate,
        price,
        volume,
        openInterest: line.open_interest,
      };
    }
    case "dealer": {
      const { country, dealer, product, karat, weight, weight_unit: weightUnit, currency, sell, buyback } = line;
      return { kind: "dealer", ...origin, country, dealer, product, karat, weight, weightUnit, currency, sell, buyback };
    }
    case "option": {
      const { metal, expiry, side, strike, bid, ask, bid_size: bidSize, ask_size: askSize, style } = line;
      return { kind: "option", ...origin, metal, expiry, side, strike, bid, ask, bidSize, askSize, style };
    }
    case "market": {
      const { metal, expiry, market_id: marketId, condition, strike, yes_bid: yesBid, yes_ask: yesAsk } = line;
      const sizes = { bidSizeUsd: line.bid_size_usd, askSizeUsd: line.ask_size_usd, feeModel: line.fee_model };
      return { kind: "market", ...origin, metal, expiry, marketId, condition, strike, yesBid, yesAsk, ...sizes };
    }
    case "silence":
      return { kind: "silence", ...origin };
  }
};
