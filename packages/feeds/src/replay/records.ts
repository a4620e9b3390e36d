/** The kinds of replay lines, each a strict schema: missing, unknown and malformed fields are refused. */
import { FUTURES_SYMBOLS, INTERVALS, SETTLEMENT_TYPES } from "@assay/contract";
import { DAILY_SYMBOLS, type DailySymbol, INSTRUMENTS, readFuturesContract } from "@assay/pricing";
import { z } from "zod";
import {
  count,
  currencyCode,
  day,
  decimalText,
  instant,
  label,
  notNegativeText,
  positiveText,
  probabilityText,
  sourceName,
  word,
} from "./values.ts";

const origin = { source: sourceName, observed_at: instant };

/** What a line may state about its source. */
const conduct = {
  required: z.boolean("must be true or false").optional(),
  expected_interval_seconds: z
    .number("must be a number")
    .positive("must be above zero")
    .max(604_800, "must be a week at most")
    .optional(),
};

const spot = z.strictObject({
  kind: z.literal("spot"),
  ...origin,
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
  ...origin,
  ...conduct,
  role: word("live", "reference"),
  base: currencyCode,
  rates: z
    .record(currencyCode, decimalText, "must be rates by currency code")
    .refine((rates) => Object.keys(rates).length > 0, "must hold a rate"),
});

const SHORT_SYMBOLS: Record<string, DailySymbol> = { XPT: "XPT-USD-SPOT", XPD: "XPD-USD-SPOT" };

const bar = z.strictObject({
  kind: z.literal("bar"),
  ...origin,
  symbol: word(...DAILY_SYMBOLS, "XPT", "XPD").transform(
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
  ...origin,
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
  ...origin,
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
  ...origin,
  metal: word("XAU", "XAG"),
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
  ...origin,
  metal: word("XAU", "XAG"),
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

const silence = z.strictObject({ kind: z.literal("silence"), ...origin });

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

/** A parsed line. */
export type ReplayLine = z.output<typeof replayLine>;
/** A line of a given kind. */
export type ReplayLineOf<K extends ReplayLine["kind"]> = Extract<ReplayLine, { kind: K }>;
