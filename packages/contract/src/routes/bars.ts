/** OHLCV bars: pages newest first, and the latest one. */
import { z } from "zod";
import { hints, INTERVAL_NAMES, KNOWN_HINTS, MOMENT_NAMES, ORDER_HINTS, PAGE_NAMES, WINDOW_HINTS } from "../hints.ts";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { BAR_SYMBOLS, complete, decimal, interval, known, knownAt, pageLimit, pageOrder, timestamp } from "../values.ts";
import { SERIES_LIST } from "../wording.ts";

const price = (description: string, example: string) => decimal(description, example).nullable();

/** OHLCV over [bar_start, bar_start + interval). */
export const bar = z
  .object({
    bar_start: timestamp("When the bar begins", "2026-11-20T00:00:00Z"),
    open: price("First price", "3991.80"),
    high: price("Highest price", "4011.65"),
    low: price("Lowest price", "3986.40"),
    close: price("Last price", "4003.20"),
    volume: decimal("Contracts or shares traded; null for spot", "8123400").nullable(),
    is_closed: z.boolean().meta({ description: "False while the bar is forming", examples: [true] }),
  })
  .meta({
    id: "Bar",
    description:
      "Open, high, low, close and volume over the interval that starts at bar_start. Open, high and low are null where only the close is known. Prices are in USD: per troy ounce, per pound for HG, per share for GLD",
  });

export type Bar = z.output<typeof bar>;

const meta = z
  .object({
    tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
    count: z.int().min(0).meta({ description: "Bars in this response" }),
    source_id: z
      .string()
      .nullable()
      .meta({ description: "Where the newest of the bars comes from; without bars, the series", examples: ["composed"] }),
    complete,
  })
  .meta({ id: "BarsMeta", description: "Metadata of the response" });

const symbol = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: `A series with bars, ${SERIES_LIST}`,
    examples: ["XAU/USD"],
    ...known(BAR_SYMBOLS),
  });

const instant = (description: string) =>
  z
    .string()
    .min(1)
    .max(32)
    .meta({ description, examples: ["2026-11-01T00:00:00Z"], format: "date-time" });

const series = z.string().meta({ description: "The series, canonical form", examples: ["XAU-USD-SPOT"], ...known(BAR_SYMBOLS) });

/** The bar of the day so far, in examples. */
export const formingBar: Bar = {
  bar_start: "2026-11-20T00:00:00Z",
  open: "3994.70",
  high: "4011.25",
  low: "3990.05",
  close: "4003.20",
  volume: null,
  is_closed: false,
};

/** The bar of the day before, in examples. */
export const closedBar: Bar = {
  bar_start: "2026-11-19T00:00:00Z",
  open: "3981.15",
  high: "3999.80",
  low: "3975.40",
  close: "3994.65",
  volume: null,
  is_closed: true,
};

const traded: Bar = {
  bar_start: "2026-11-19T00:00:00Z",
  open: "367.85",
  high: "369.60",
  low: "367.20",
  close: "369.10",
  volume: "8123400",
  is_closed: true,
};

/** GET /v1/bars */
export const listBars = route({
  method: "GET",
  path: "/v1/bars",
  tag: "Bars",
  summary: "Bars of a window, newest first",
  description:
    "Pass `next_cursor` as `cursor` for the next page, with the same `order`; null means there are no more pages; the pages of one walk are one snapshot. Free sees 30 days of daily XAU-USD bars, Basic and Physical a year; other series and intraday intervals need Pro, and intraday goes back 30 days on every tier.",
  access: { auth: "optional" },
  input: z.object({
    symbol,
    interval: interval.default("1d"),
    from: instant("First bar_start, ISO-8601, inclusive. A bare date is its UTC midnight"),
    to: instant("Last bar_start, ISO-8601, inclusive. A bare date is the whole UTC day"),
    limit: pageLimit,
    cursor: z.string().min(1).max(512).meta({ description: "next_cursor of the previous page; opaque" }).optional(),
    order: pageOrder,
    known_at: knownAt,
  }),
  hints: {
    ...WINDOW_HINTS,
    ...ORDER_HINTS,
    ...hints(INTERVAL_NAMES, "the length of a bar is interval"),
    ...KNOWN_HINTS,
    ...hints(PAGE_NAMES, "the next page is cursor, the next_cursor of the page before"),
  },
  output: z
    .object({
      symbol: series,
      interval,
      bars: z.array(bar).meta({ description: "Newest first, or oldest first with order=asc" }),
      next_cursor: z.string().nullable().meta({ description: "Cursor of the next page; null when there are no more" }),
      meta,
    })
    .meta({ id: "BarsPage", description: "One page of bars, newest first" }),
  errors: ["range_too_deep", "unknown_past", "plan_gated", "validation_error", "service_unavailable"],
  tool: {
    name: "list_bars",
    description:
      "Price history as OHLC bars, newest first, from one minute to one day wide. For what a price was on a day, ask for interval 1d with from and to on that day.",
    rows: { list: "bars", figure: "close", least: "low", greatest: "high" },
  },
  feature: "bars",
  paging: { items: "bars", at: "bar_start", closed: "is_closed" },
  formats: { csv: "bars", beancount: "bars", ledger: "bars" },
  examples: {
    page: {
      summary: "A page of two; more are to come",
      value: {
        symbol: "XAU-USD-SPOT",
        interval: "1d",
        bars: [formingBar, closedBar],
        next_cursor: "AQAAAZ2m7gAA3q0f8Ck1Yl5u",
        meta: { tier: "pro", count: 2, source_id: "swissquote" },
      },
    },
    exhausted: {
      summary: "The last page, of a series with volume",
      value: {
        symbol: "GLD",
        interval: "1d",
        bars: [traded],
        next_cursor: null,
        meta: { tier: "pro", count: 1, source_id: "import" },
      },
    },
    filling: {
      summary: "A page of which bars are still being filled in, after a first start",
      value: {
        symbol: "XAU-USD-SPOT",
        interval: "1d",
        bars: [closedBar],
        next_cursor: null,
        meta: { tier: "pro", count: 1, source_id: "simulated", complete: false },
      },
    },
    empty: {
      summary: "A window without bars",
      value: {
        symbol: "XAU-USD-SPOT",
        interval: "1d",
        bars: [],
        next_cursor: null,
        meta: { tier: "free", count: 0, source_id: "swissquote" },
      },
    },
  },
});

/** GET /v1/bars/latest */
export const latestBars = route({
  method: "GET",
  path: "/v1/bars/latest",
  tag: "Bars",
  summary: "The latest bar",
  description: "The most recent bar, forming or closed; null when there is none. With `known_at` the most recent closed one.",
  access: { auth: "optional" },
  input: z.object({ symbol, interval: interval.default("1d"), known_at: knownAt }),
  hints: {
    ...hints(["from", "to", "start", "end", "limit", ...MOMENT_NAMES], "the bars of a window are on /v1/bars"),
    ...hints(INTERVAL_NAMES, "the length of a bar is interval"),
  },
  output: z
    .object({
      symbol: series,
      interval,
      bar: bar.nullable().meta({ description: "Null when there is none" }),
      meta,
    })
    .meta({ id: "LatestBar", description: "The most recent bar of a series, forming or closed" }),
  errors: ["unknown_past", "plan_gated", "validation_error", "service_unavailable"],
  feature: "bars",
  formats: { text: "bar.close" },
  examples: {
    forming: {
      summary: "The bar that is forming",
      value: {
        symbol: "XAU-USD-SPOT",
        interval: "1d",
        bar: formingBar,
        meta: { tier: "free", count: 1, source_id: "swissquote" },
      },
    },
    none: {
      summary: "A series that has no bar yet",
      value: { symbol: "GLD", interval: "1d", bar: null, meta: { tier: "pro", count: 0, source_id: null } },
    },
  },
});
