/** Spot prices: the list, divergence, and the deprecated history. */
import { z } from "zod";
import { hints, INTERVAL_NAMES, ORDER_NAMES, PRICE_HINTS, WINDOW_HINTS } from "../hints.ts";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import {
  BAR_SYMBOLS,
  CONTRACT_TYPES,
  CURRENCIES,
  calendarDay,
  complete,
  decimal,
  EXAMPLE_MOMENT,
  known,
  METALS,
  pageLimit,
  SPOT_NAMES,
  timestamp,
} from "../values.ts";
import { METAL_TIERS } from "../wording.ts";
import { exampleRow, exampleSources, include, type SpotRow, source, spotRow } from "./spot.ts";

const silver: SpotRow = { ...exampleRow, symbol: "XAG", price: "52.1840", bid: "52.1710", ask: "52.1970" };

const copper: SpotRow = { ...exampleRow, symbol: "HG", unit: "pound", price: "5.0125", bid: "5.0110", ask: "5.0140" };

/** GET /v1/prices */
export const listPrices = route({
  method: "GET",
  path: "/v1/prices",
  tag: "Spot prices",
  summary: "Spot prices",
  description: `Every symbol the tier includes, or the requested one. Prices on Free are 15 minutes late. ${METAL_TIERS} A futures row is the newest of a live futures quote and the settlement of the front contract, the nearest that still trades: the first settlement of \`/v1/forward-view\`. \`/v1/settlements\` shows the active contract, which rolls earlier, on the 25th of the month before delivery.`,
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: "One symbol or alias; by default every symbol of the tier",
        examples: ["XAU-EUR-SPOT"],
        ...known(SPOT_NAMES),
      })
      .optional(),
    include,
  }),
  hints: { ...PRICE_HINTS, symbols: "symbol takes one symbol; without it the answer has every symbol of the tier" },
  output: z
    .object({ symbols: z.array(spotRow).meta({ description: "One row per symbol" }) })
    .meta({ id: "Prices", description: "Spot prices, one row per symbol" }),
  errors: ["invalid_symbol", "plan_gated", "service_unavailable"],
  formats: { csv: "symbols" },
  examples: {
    free: { summary: "On Free, Basic and Physical: gold", value: { symbols: [exampleRow] } },
    pro: { summary: "On Pro: every metal", value: { symbols: [exampleRow, silver, copper] } },
  },
});

/** One symbol whose sources diverge. */
export const divergedRow = z
  .object({
    symbol: z.enum(METALS).meta({ description: "Metal code" }),
    quote_currency: z.string().meta({ description: "ISO 4217 code", examples: ["USD"], ...known(CURRENCIES) }),
    contract_type: z.enum(CONTRACT_TYPES).meta({ description: "spot or futures" }),
    divergence_bps: z.number().meta({ description: "(highest − lowest) / median, in bps, one decimal" }),
    primary_sources: z.array(source).meta({ description: "The believed primary sources, filtered by tier" }),
    computed_at: timestamp("When the price was computed"),
  })
  .meta({ id: "DivergedRow", description: "One symbol whose sources differ" });

/** GET /v1/prices/divergence */
export const divergence = route({
  method: "GET",
  path: "/v1/prices/divergence",
  tag: "Spot prices",
  summary: "Where the sources differ",
  description: "Symbols whose fresh primary sources differ by the threshold or more. For anonymous callers, only how many.",
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
          threshold_bps: z.int().meta({ description: "The requested threshold" }),
          computed_at: timestamp("The moment looked at"),
          diverged_count: z.int().min(0).meta({ description: "How many symbols diverge" }),
        })
        .strict()
        .meta({ id: "DivergenceCount", description: "The response to anonymous callers" }),
      z
        .object({
          threshold_bps: z.int().meta({ description: "The requested threshold" }),
          computed_at: timestamp("The moment looked at"),
          diverged: z.array(divergedRow).meta({ description: "The diverging symbols that the tier includes" }),
        })
        .strict()
        .meta({ id: "DivergenceDetail", description: "The response with a key" }),
    ])
    .meta({ id: "Divergence", description: "Where sources differ: with a key the symbols, without one their number" }),
  errors: ["service_unavailable"],
  examples: {
    without_key: {
      summary: "For anonymous callers: the number",
      value: { threshold_bps: 50, computed_at: EXAMPLE_MOMENT, diverged_count: 1 },
    },
    with_key: {
      summary: "With a key: each of them, of those the tier allows",
      value: {
        threshold_bps: 3,
        computed_at: EXAMPLE_MOMENT,
        diverged: [
          {
            symbol: "XAU",
            quote_currency: "USD",
            contract_type: "spot",
            divergence_bps: 3.2,
            primary_sources: exampleSources,
            computed_at: EXAMPLE_MOMENT,
          },
        ],
      },
    },
  },
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
    is_stale: z.boolean().meta({ description: "Whether the underlying price was stale" }),
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
  description: "Use /v1/bars. Oldest first, with the newest `limit` bars of the window; the window is cut to the tier's depth.",
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
  hints: {
    ...WINDOW_HINTS,
    ...hints(ORDER_NAMES, "rows are oldest first"),
    ...hints(INTERVAL_NAMES, "the length of a bar is interval"),
  },
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
          complete,
        })
        .meta({ description: "Metadata of the response" }),
    })
    .meta({ id: "History", description: "Bars of a window, oldest first" }),
  errors: ["bad_request", "plan_gated", "service_unavailable"],
  successor: "/v1/bars",
  formats: { csv: "series" },
  examples: {
    two_days: {
      summary: "Two days, oldest first; the second is still forming",
      value: {
        symbol: "XAU-USD-SPOT",
        interval: "1d",
        from: "2026-11-19",
        to: "2026-11-20",
        series: [
          {
            date: "2026-11-19",
            open: "3981.15",
            high: "3999.80",
            low: "3975.40",
            close: "3994.65",
            volume: null,
            is_stale: false,
            is_closed: true,
          },
          {
            date: "2026-11-20",
            open: "3994.70",
            high: "4011.25",
            low: "3990.05",
            close: "4003.20",
            volume: null,
            is_stale: false,
            is_closed: false,
          },
        ],
        meta: {
          tier: "pro",
          count: 2,
          ohlc_note:
            "Bars of UTC days or hours from source swissquote: open, high, low and close of the prices Assay composed or imported.",
        },
      },
    },
  },
});
