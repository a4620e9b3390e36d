/** Ratios of daily closes: pages newest first, and the latest one. */
import { z } from "zod";
import { hints, INTERVAL_NAMES, KNOWN_HINTS, ORDER_HINTS, PAGE_NAMES, WINDOW_HINTS } from "../hints.ts";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { calendarDay, complete, decimal, known, knownAt, pageLimit, pageOrder, RATIO_PAIRS } from "../values.ts";

/** The ratio of one settled day. */
export const ratioPoint = z
  .object({
    date: calendarDay("The UTC day of both closes"),
    ratio: decimal(
      "Numerator close divided by denominator close, 4 decimals; one below the last of them has four significant digits instead",
      "83.4000",
    ),
    numerator_close: decimal("Close of the numerator", "4003.20"),
    denominator_close: decimal("Close of the denominator", "48.0000"),
  })
  .meta({ id: "RatioPoint", description: "The ratio of one settled day" });

export type RatioPoint = z.output<typeof ratioPoint>;

const pair = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: `One of ${RATIO_PAIRS.join(", ")}`, examples: ["gold-silver"], ...known(RATIO_PAIRS) });

const day = (description: string, example: string) =>
  z
    .string()
    .min(1)
    .max(32)
    .meta({ description, examples: [example], format: "date" });

const envelope = {
  pair: z.enum(RATIO_PAIRS).meta({ description: "The pair" }),
  numerator: z.string().meta({ description: "The numerator", examples: ["XAU-USD-SPOT"] }),
  denominator: z.string().meta({ description: "The denominator", examples: ["XAG-USD-SPOT"] }),
  interval: z.literal("1d").meta({ description: "Always daily" }),
};

const meta = z
  .object({
    tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
    count: z.int().min(0).meta({ description: "Points in this response" }),
    complete,
  })
  .meta({ id: "RatiosMeta", description: "Metadata of the response" });

const newest: RatioPoint = {
  date: "2026-11-19",
  ratio: "82.7893",
  numerator_close: "3994.65",
  denominator_close: "48.2508",
};

/** GET /v1/ratios */
export const listRatios = route({
  method: "GET",
  path: "/v1/ratios",
  tag: "Ratios",
  summary: "Ratios of daily closes in a window, newest first",
  description:
    "Only days on which both series have a settled bar; nothing is filled forward. Pass `next_cursor` as `cursor` for the next page, with the same `order`; null means there are no more pages; the pages of one walk are one snapshot.",
  access: { auth: "required", tier: "pro" },
  input: z.object({
    pair,
    from: day("First day, inclusive, YYYY-MM-DD", "2026-11-01"),
    to: day("Last day, inclusive, YYYY-MM-DD", "2026-11-20"),
    limit: pageLimit,
    cursor: z.string().min(1).max(512).meta({ description: "next_cursor of the previous page; opaque" }).optional(),
    order: pageOrder,
    known_at: knownAt,
  }),
  hints: {
    ...WINDOW_HINTS,
    ...ORDER_HINTS,
    ...hints(["interval", ...INTERVAL_NAMES], "ratios are of daily closes"),
    ...KNOWN_HINTS,
    ...hints(PAGE_NAMES, "the next page is cursor, the next_cursor of the page before"),
  },
  output: z
    .object({
      ...envelope,
      points: z.array(ratioPoint).meta({ description: "Newest first, or oldest first with order=asc" }),
      next_cursor: z.string().nullable().meta({ description: "Cursor of the next page; null when there are no more" }),
      meta,
    })
    .meta({ id: "RatiosPage", description: "A page of ratios" }),
  errors: ["unknown_pair", "unknown_past", "bad_request", "validation_error", "service_unavailable"],
  tool: {
    name: "list_ratios",
    description: "The history of a ratio between two metals, such as gold-silver, from daily closes, newest first.",
    rows: { list: "points", figure: "ratio" },
  },
  feature: "ratios",
  paging: { items: "points", at: "date" },
  formats: { csv: "points" },
  examples: {
    page: {
      summary: "A page of two; more are to come",
      value: {
        pair: "gold-silver",
        numerator: "XAU-USD-SPOT",
        denominator: "XAG-USD-SPOT",
        interval: "1d",
        points: [newest, { date: "2026-11-18", ratio: "82.9000", numerator_close: "3981.10", denominator_close: "48.0229" }],
        next_cursor: "AQAAAZ2m7gAA3q0f8Ck1Yl5u",
        meta: { tier: "pro", count: 2 },
      },
    },
    empty: {
      summary: "A window without a day both series have",
      value: {
        pair: "gld-xau",
        numerator: "GLD",
        denominator: "XAU-USD-SPOT",
        interval: "1d",
        points: [],
        next_cursor: null,
        meta: { tier: "pro", count: 0 },
      },
    },
  },
});

/** GET /v1/ratios/latest */
export const latestRatios = route({
  method: "GET",
  path: "/v1/ratios/latest",
  tag: "Ratios",
  summary: "The latest ratio",
  description: "The newest settled day on which both series have a bar; null when there is none.",
  access: { auth: "required", tier: "pro" },
  input: z.object({ pair, known_at: knownAt }),
  output: z
    .object({ ...envelope, point: ratioPoint.nullable().meta({ description: "Null when no day is shared" }), meta })
    .meta({ id: "LatestRatio", description: "The latest ratio of a pair" }),
  errors: ["unknown_pair", "unknown_past", "validation_error", "service_unavailable"],
  feature: "ratios",
  formats: { text: "point.ratio" },
  examples: {
    newest: {
      summary: "The newest settled day",
      value: {
        pair: "gold-silver",
        numerator: "XAU-USD-SPOT",
        denominator: "XAG-USD-SPOT",
        interval: "1d",
        point: newest,
        meta: { tier: "pro", count: 1 },
      },
    },
    none: {
      summary: "No day is shared",
      value: {
        pair: "gold-palladium",
        numerator: "XAU-USD-SPOT",
        denominator: "XPD-USD-SPOT",
        interval: "1d",
        point: null,
        meta: { tier: "pro", count: 0 },
      },
    },
  },
});
