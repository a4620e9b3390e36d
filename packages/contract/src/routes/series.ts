/** Daily series of a metal in any currency, unit and purity. */
import { z } from "zod";
import { EDGE_HINTS, hints, INTERVAL_NAMES, KNOWN_HINTS, MOMENT_NAMES, ORDER_HINTS, PAGE_NAMES, SYMBOL_HINTS } from "../hints.ts";
import { finenessParameter } from "../purity.ts";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import {
  CROSSES,
  CURRENCIES,
  calendarDay,
  complete,
  dayParameter,
  decimal,
  known,
  knownAt,
  pageLimit,
  pageOrder,
  UNITS,
} from "../values.ts";
import { METAL_NAME_CHOICE, PRICE_UNIT_RULE } from "../wording.ts";

/** The price of one settled day, and what it is made of. */
export const seriesPoint = z
  .object({
    date: calendarDay("The UTC day", "2026-11-19"),
    price: decimal("Close of one unit in the quote currency: usd_close × fx_rate × weight × purity, rounded once", "111.00"),
    usd_close: decimal(`Close of the day in USD, with every digit the price is computed from, per ${PRICE_UNIT_RULE}`, "3994.65"),
    fx_rate: decimal("Units of the quote currency for one USD, up to 18 significant digits; 1 for USD", "0.864304235090751945"),
    fx_date: calendarDay(
      "The day the rate was published, at most seven days before `date`; for USD and what is pegged to it `date`",
      "2026-11-19",
    ),
  })
  .meta({ id: "SeriesPoint", description: "The price of one settled day" });

/** The price of one settled day. */
export type SeriesPoint = z.output<typeof seriesPoint>;

const meta = z
  .object({
    tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
    count: z.int().min(0).meta({ description: "Points in this response" }),
    complete,
  })
  .meta({ id: "SeriesMeta", description: "Metadata of the response" });

const unit = z.enum(UNITS).meta({ description: "Unit of weight the price is of" });
const newest: SeriesPoint = {
  date: "2026-11-19",
  price: "111.00",
  usd_close: "3994.65",
  fx_rate: "0.864304235090751945",
  fx_date: "2026-11-19",
};

/** GET /v1/series */
export const listSeries = route({
  method: "GET",
  path: "/v1/series",
  tag: "Series",
  summary: "Daily prices in any currency, unit and purity, newest first",
  description:
    "A point for each settled day that has a close and a reference rate of at most seven days before; nothing is filled forward. A currency with a fixed peg follows it. Only the close: open, high and low of a cross cannot be known from daily figures. Free sees 30 days of gold, Basic and Physical a year; other metals need Pro. Pass `next_cursor` as `cursor` for the next page, with the same `order`; null means there are no more pages; the pages of one walk are one snapshot.",
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description: "A metal in a currency, in dash or slash form, or an alias, which is in USD",
        examples: ["XAU-EUR-SPOT"],
        ...known(CROSSES),
      }),
    unit: unit.default("troy_ounce"),
    karat: z
      .int()
      .min(1)
      .max(24)
      .meta({
        description: "Purity in parts of 24, gold only; pure metal when neither this nor `fineness` is given",
        examples: [22],
      })
      .optional(),
    fineness: finenessParameter.optional(),
    from: dayParameter("First day, inclusive, YYYY-MM-DD", "2026-11-01"),
    to: dayParameter("Last day, inclusive, YYYY-MM-DD", "2026-11-20"),
    limit: pageLimit,
    cursor: z.string().min(1).max(512).meta({ description: "next_cursor of the previous page; opaque" }).optional(),
    order: pageOrder,
    known_at: knownAt,
  }),
  hints: {
    ...EDGE_HINTS,
    ...KNOWN_HINTS,
    ...SYMBOL_HINTS,
    ...hints(MOMENT_NAMES, "one day is a window with from and to on that day; an instant is /v1/spot/{symbol}?at="),
    ...hints(["weight", "weightunit", "units"], "the parameter is unit"),
    ...hints(["carat", "purity"], "purity is karat, in parts of 24, or fineness, in parts of 1000"),
    ...ORDER_HINTS,
    ...hints(["interval", ...INTERVAL_NAMES], "series are daily"),
    ...hints(PAGE_NAMES, "the next page is cursor, the next_cursor of the page before"),
  },
  output: z
    .object({
      symbol: z.string().meta({ description: "The cross, canonical form", examples: ["XAU-EUR-SPOT"], ...known(CROSSES) }),
      quote_currency: z
        .string()
        .length(3)
        .meta({ description: "ISO 4217 code", examples: ["EUR"], ...known(CURRENCIES) }),
      unit,
      fineness: decimal("Purity in parts of 1000, at most three decimals", "916.667"),
      interval: z.literal("1d").meta({ description: "Always daily" }),
      points: z.array(seriesPoint).meta({ description: "Newest first, or oldest first with order=asc" }),
      next_cursor: z.string().nullable().meta({ description: "Cursor of the next page; null when there are no more" }),
      meta,
    })
    .meta({ id: "SeriesPage", description: "A page of a daily series" }),
  errors: ["range_too_deep", "unknown_past", "plan_gated", "validation_error", "service_unavailable"],
  tool: {
    name: "list_price_series",
    description: `Daily closing prices of ${METAL_NAME_CHOICE} in any currency, weight unit and purity, newest first. For example 18 karat gold per gram in INR over a year.`,
    rows: { list: "points", figure: "price" },
  },
  feature: "bars",
  paging: { items: "points", at: "date" },
  formats: { csv: "points", beancount: "points", ledger: "points" },
  examples: {
    page: {
      summary: "Gold per gram in euros; more days are to come",
      value: {
        symbol: "XAU-EUR-SPOT",
        quote_currency: "EUR",
        unit: "gram",
        fineness: "1000",
        interval: "1d",
        points: [newest],
        next_cursor: "AQAAAZ2m7gAA3q0f8Ck1Yl5u",
        meta: { tier: "pro", count: 1 },
      },
    },
    karat: {
      summary: "Of 22 karat",
      value: {
        symbol: "XAU-EUR-SPOT",
        quote_currency: "EUR",
        unit: "gram",
        fineness: "916.667",
        interval: "1d",
        points: [{ ...newest, price: "101.75" }],
        next_cursor: null,
        meta: { tier: "pro", count: 1 },
      },
    },
    empty: {
      summary: "A window without a settled day",
      value: {
        symbol: "XAU-EUR-SPOT",
        quote_currency: "EUR",
        unit: "troy_ounce",
        fineness: "1000",
        interval: "1d",
        points: [],
        next_cursor: null,
        meta: { tier: "free", count: 0 },
      },
    },
  },
});
