/** How complete each day of a series is, and how many origins its prices had. */
import { z } from "zod";
import { EDGE_HINTS, hints, INTERVAL_NAMES, MOMENT_NAMES, ORDER_NAMES, PAGE_NAMES } from "../hints.ts";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { BAR_SYMBOLS, calendarDay, dayParameter, interval, known, wholeNumber } from "../values.ts";

export const DAY_CONDITIONS = ["available", "degraded", "pending", "missing"] as const;

export const MAX_QUALITY_DAYS = 366;

const day = z
  .object({
    date: calendarDay("The UTC day", "2026-11-19"),
    condition: z.enum(DAY_CONDITIONS).meta({
      description:
        "pending: the day is not over, or bars of it are still being filled in; else available: every expected bar is present; missing: none is; degraded: some are not",
    }),
    origins: wholeNumber("Origins with accepted readings on that day; null when that was not recorded", 2).nullable(),
    bars: z
      .object({
        interval,
        expected: wholeNumber("Bars that hold any open hours and have ended", 1_380),
        present: wholeNumber("Those that are stored", 1_380),
      })
      .meta({
        id: "DayBars",
        description: "The day's closed bars, of the shortest interval that you may read of that day and that is kept as far back",
      }),
    last_revision: wholeNumber(
      "The newest revision of the store that wrote one of them, as /v1/corrections names it; 0 before the ledger began, null without bars",
      90_412,
    ).nullable(),
  })
  .meta({ id: "DayQuality", description: "How complete one day is" });

/** How complete one day is. */
export type DayQuality = z.output<typeof day>;

const whole: DayQuality = {
  date: "2026-11-19",
  condition: "available",
  origins: 2,
  bars: { interval: "1m", expected: 1_380, present: 1_380 },
  last_revision: 90_412,
};

/** GET /v1/quality */
export const listQuality = route({
  method: "GET",
  path: "/v1/quality",
  tag: "Sources",
  summary: "How complete each day of a series is, newest first",
  description:
    "A row for each UTC day of the window up to today: how many bars the market's calendar expects and how many are stored, how many origins had accepted readings, and which revision wrote the day last. On days without open hours nothing is expected, and nothing is missing. Series, delay and depth are those of `/v1/bars`. The window spans at most 366 days.",
  access: { auth: "optional" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "The series, in dash or slash form", examples: ["XAU/USD"], ...known(BAR_SYMBOLS) }),
    from: dayParameter("First day, inclusive, YYYY-MM-DD", "2026-11-01"),
    to: dayParameter("Last day, inclusive, YYYY-MM-DD", "2026-11-20"),
  }),
  hints: {
    ...EDGE_HINTS,
    ...hints(MOMENT_NAMES, "one day is a window with from and to on that day"),
    ...hints(["interval", ...INTERVAL_NAMES], "rows are daily; bars.interval says which bars were counted"),
    ...hints(ORDER_NAMES, "days are newest first"),
    ...hints(["cursor", "limit", ...PAGE_NAMES], "there are no pages: a window spans at most 366 days"),
  },
  output: z
    .object({
      symbol: z.string().meta({ description: "The series, canonical form", examples: ["XAU-USD-SPOT"], ...known(BAR_SYMBOLS) }),
      days: z.array(day).meta({ description: "Newest first" }),
      meta: z
        .object({
          tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
          count: z.int().min(0).meta({ description: "Days in this response" }),
        })
        .meta({ id: "QualityMeta", description: "Metadata of the response" }),
    })
    .meta({ id: "QualityDays", description: "How complete the days of a series are" }),
  errors: ["range_too_deep", "plan_gated", "validation_error", "service_unavailable"],
  feature: "bars",
  formats: { csv: "days" },
  examples: {
    days: {
      summary: "A whole day, and one with a gap",
      value: {
        symbol: "XAU-USD-SPOT",
        days: [
          whole,
          { ...whole, date: "2026-11-18", condition: "degraded", bars: { interval: "1m", expected: 1_380, present: 1_325 } },
        ],
        meta: { tier: "pro", count: 2 },
      },
    },
    past: {
      summary: "A day from before anything was recorded of the sources",
      value: {
        symbol: "XAU-USD-SPOT",
        days: [{ ...whole, origins: null, bars: { interval: "1d", expected: 1, present: 1 }, last_revision: 0 }],
        meta: { tier: "free", count: 1 },
      },
    },
    none: {
      summary: "A window that has not begun",
      value: { symbol: "XAU-USD-SPOT", days: [], meta: { tier: "free", count: 0 } },
    },
  },
});
