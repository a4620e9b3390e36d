/** Spot prices: the list, one symbol, divergence, and the deprecated history. */
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import {
  BAR_SYMBOLS,
  CONTRACT_TYPES,
  CURRENCIES,
  calendarDay,
  decimal,
  KARATS,
  known,
  METALS,
  pageLimit,
  SPOT_GROUPS,
  SPOT_NAMES,
  timestamp,
  wordsParameter,
} from "../values.ts";

/** Where a price comes from. */
export const source = z
  .object({
    source: z.string().meta({ description: "The feed's key", examples: ["swissquote"] }),
    display_name: z.string().optional().meta({ description: "The publisher's name" }),
    price: decimal("Its own price of one unit, in the row's quote currency").optional(),
    unit: z.string().optional().meta({ description: "troy_ounce or pound" }),
    license: z.string().optional().meta({ description: "The class of its terms of use" }),
    is_stale: z.boolean().optional().meta({ description: "Past its freshness window" }),
    informational: z.boolean().optional().meta({ description: "A reference-only feed that never sets the price" }),
  })
  .meta({ id: "Source", description: "Where a price comes from" });
/** Where a price comes from. */
export type Source = z.output<typeof source>;

const gram = (karat: number, example: string) =>
  decimal(`Group karat: price per gram of ${karat} karat, in the quote currency`, example).optional();
/** The eight per-gram field names, purest first. */
export const GRAM_FIELDS = KARATS.map((karat) => `price_gram_${karat}k` as const);

/** One priced symbol. */
export const spotRow = z
  .object({
    symbol: z.enum(METALS).meta({ description: "Metal code" }),
    quote_currency: z
      .string()
      .length(3)
      .meta({ description: "ISO 4217 code", examples: ["USD"], ...known(CURRENCIES) }),
    unit: z.enum(["troy_ounce", "pound"]).meta({ description: "What the price is for: pound for HG, troy_ounce else" }),
    contract_type: z.enum(CONTRACT_TYPES).meta({ description: "spot or futures" }),
    is_stale: z.boolean().meta({ description: "True when the price is outside its freshness window" }),
    stale_reason: z
      .enum(["market_closed", "feed_down", "fx_fallback"])
      .optional()
      .meta({ description: "Why it is stale; only when it is" }),
    price: decimal("Price of one unit in the quote currency; absent when unavailable").optional(),
    bid: decimal("Bid of one unit in the quote currency; absent when unavailable", "4002.90").optional(),
    ask: decimal("Ask of one unit in the quote currency; absent when unavailable", "4003.50").optional(),
    computed_at: timestamp(
      "When the price was computed; of a settlement its source's instant, of the last close its bar's end; absent when unavailable",
    ).optional(),
    sources: z.array(source).optional().meta({ description: "Group sources: provenance, filtered by tier" }),
    price_gram_24k: gram(24, "128.7059"),
    price_gram_22k: gram(22, "117.9804"),
    price_gram_21k: gram(21, "112.6176"),
    price_gram_20k: gram(20, "107.2549"),
    price_gram_18k: gram(18, "96.5294"),
    price_gram_16k: gram(16, "85.8039"),
    price_gram_14k: gram(14, "75.0784"),
    price_gram_10k: gram(10, "53.6274"),
    divergence_flag: z.boolean().optional().meta({ description: "Group stats: whether the sources differ by 50 bps or more" }),
    divergence_bps: z
      .number()
      .optional()
      .meta({ description: "Group stats: (highest − lowest) / median of the fresh primary sources, in bps, one decimal" }),
    value_stale: z.boolean().optional().meta({ description: "Group stats: only when the primary source is the council rate" }),
    open_price: decimal("Group stats: the UTC day's open, in the quote currency", "3991.80").optional(),
    high_price: decimal("Group stats: the UTC day's high, in the quote currency", "4011.65").optional(),
    low_price: decimal("Group stats: the UTC day's low, in the quote currency", "3986.40").optional(),
    prev_close_price: decimal("Group stats: the previous UTC day's close, in the quote currency", "3990.90").optional(),
    ch: decimal("Group stats: price minus previous close, in the quote currency", "12.30").optional(),
    chp: decimal("Group stats: that change in percent", "0.31").optional(),
    open_time: z.number().optional().meta({ description: "Group stats: epoch seconds at UTC midnight" }),
  })
  .meta({ id: "SpotRow", description: "One priced symbol" });
/** One priced symbol. */
export type SpotRow = z.output<typeof spotRow>;

const include = wordsParameter(
  SPOT_GROUPS,
  "Groups to add, comma-separated: sources, karat, stats, all. Unknown ones are ignored; stats needs a key.",
  "sources,karat",
).optional();

/** GET /v1/prices */
export const listPrices = route({
  method: "GET",
  path: "/v1/prices",
  tag: "Spot prices",
  summary: "Spot prices",
  description:
    "Every symbol the tier allows, or the one asked for. Free and keyless prices are 15 minutes late. XAG and HG need Pro.",
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: "One symbol or alias; all of the tier when left out",
        examples: ["XAU-EUR-SPOT"],
        ...known(SPOT_NAMES),
      })
      .optional(),
    include,
  }),
  output: z
    .object({ symbols: z.array(spotRow).meta({ description: "One row a symbol" }) })
    .meta({ id: "Prices", description: "Spot prices, one row a symbol" }),
  errors: ["invalid_symbol", "plan_gated", "service_unavailable"],
});

/** GET /v1/spot/{symbol} */
export const getSpot = route({
  method: "GET",
  path: "/v1/spot/{symbol}",
  tag: "Spot prices",
  summary: "One spot price",
  description: "One row without an envelope. Free and keyless prices are 15 minutes late. XAG and HG need Pro.",
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "Symbol or alias", examples: ["XAU-USD-SPOT"], ...known(SPOT_NAMES) }),
    include,
  }),
  output: spotRow,
  errors: ["invalid_symbol", "plan_gated", "not_found", "service_unavailable"],
});

/** One symbol whose sources differ. */
export const divergedRow = z
  .object({
    symbol: z.enum(METALS).meta({ description: "Metal code" }),
    quote_currency: z.string().meta({ description: "ISO 4217 code", examples: ["USD"], ...known(CURRENCIES) }),
    contract_type: z.enum(CONTRACT_TYPES).meta({ description: "spot or futures" }),
    divergence_bps: z.number().meta({ description: "(highest − lowest) / median, in bps, one decimal" }),
    primary_sources: z.array(source).meta({ description: "The fresh primary sources, filtered by tier" }),
    computed_at: timestamp("When the price was computed"),
  })
  .meta({ id: "DivergedRow", description: "One symbol whose sources differ" });

/** GET /v1/prices/divergence */
export const divergence = route({
  method: "GET",
  path: "/v1/prices/divergence",
  tag: "Spot prices",
  summary: "Where the sources differ",
  description: "Symbols whose fresh primary sources differ by the threshold or more. Without a key only their number.",
  access: { auth: "optional" },
  input: z.object({
    threshold: z
      .int()
      .min(1)
      .max(10_000)
      .default(50)
      .meta({
        description: "Threshold in basis points",
        override: { type: "integer", minimum: 1, maximum: 10_000, default: 50 },
      }),
  }),
  output: z
    .union([
      z
        .object({
          threshold_bps: z.int().meta({ description: "The threshold asked for" }),
          computed_at: timestamp("The moment looked at"),
          diverged_count: z.int().min(0).meta({ description: "How many symbols diverge" }),
        })
        .strict()
        .meta({ id: "DivergenceCount", description: "What callers without a key get" }),
      z
        .object({
          threshold_bps: z.int().meta({ description: "The threshold asked for" }),
          computed_at: timestamp("The moment looked at"),
          diverged: z.array(divergedRow).meta({ description: "Each of them, of those the tier allows" }),
        })
        .strict()
        .meta({ id: "DivergenceDetail", description: "What callers with a key get" }),
    ])
    .meta({ id: "Divergence", description: "Where sources differ: with a key the symbols, without one their number" }),
  errors: ["service_unavailable"],
});

const price = (description: string, example: string) => decimal(description, example).nullable();

/** One row of the deprecated history. */
export const seriesEntry = z
  .object({
    date: z.string().meta({ description: "YYYY-MM-DD for daily, ISO-8601 UTC for intraday", examples: ["2026-11-20"] }),
    open: price("Open", "3991.80"),
    high: price("High", "4011.65"),
    low: price("Low", "3986.40"),
    close: price("Close", "4003.20"),
    volume: z.null().meta({ description: "Always null" }),
    is_stale: z.boolean().meta({ description: "Whether the price behind it was stale" }),
    is_closed: z.boolean().meta({ description: "False while the bar is forming", examples: [true] }),
  })
  .meta({
    id: "SeriesEntry",
    description: "One row of the deprecated history: prices in USD per troy ounce, per pound for HG, per share for GLD",
  });

const day = (description: string) =>
  z
    .string()
    .max(32)
    .meta({ description, examples: ["2026-11-01"], format: "date" });

/** GET /v1/prices/history, deprecated */
export const history = route({
  method: "GET",
  path: "/v1/prices/history",
  tag: "Spot prices",
  summary: "Price history (deprecated)",
  description: "Use /v1/bars. Oldest first, holding the newest `limit` of the window; the window is cut to the tier's depth.",
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "A series with bars", examples: ["XAU-USD-SPOT"] }),
    from: day("First day, inclusive"),
    to: day("Last day, inclusive"),
    interval: z.enum(["1d", "1h"]).default("1d").meta({ description: "1h needs Pro" }),
    limit: pageLimit,
  }),
  output: z
    .object({
      symbol: z.string().meta({ description: "The series", examples: ["XAU-USD-SPOT"], ...known(BAR_SYMBOLS) }),
      interval: z.enum(["1d", "1h"]).meta({ description: "Bar interval" }),
      from: calendarDay("First day served"),
      to: calendarDay("Last day served"),
      series: z.array(seriesEntry).meta({ description: "Oldest first" }),
      meta: z
        .object({
          tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
          count: z.int().min(0).meta({ description: "Rows in the series" }),
          ohlc_note: z.string().meta({ description: "Where the bars come from", examples: ["Bars of the spot series."] }),
        })
        .meta({ description: "What was served, and to whom" }),
    })
    .meta({ id: "History", description: "Bars of a window, oldest first" }),
  errors: ["bad_request", "plan_gated", "service_unavailable"],
  successor: "/v1/bars",
});
