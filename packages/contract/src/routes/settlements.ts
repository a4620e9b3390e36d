/** Daily settlements of futures. */
import { z } from "zod";
import { hints, INTERVAL_NAMES, KNOWN_HINTS, ORDER_NAMES, PAGE_NAMES, WINDOW_HINTS } from "../hints.ts";
import { route } from "../route.ts";
import { calendarDay, decimal, FUTURES_SYMBOLS, known, knownAt, SETTLEMENT_TYPES, timestamp } from "../values.ts";
import { PRODUCT_CHOICE, PRODUCT_NAME_CHOICE } from "../wording.ts";

/** The active contract's settlement of one day. */
export const settlement = z
  .object({
    symbol: z.enum(FUTURES_SYMBOLS).meta({ description: `The product: ${PRODUCT_CHOICE}` }),
    settlement_date: calendarDay("The exchange's day"),
    settlement_price: decimal("Price of the day's active contract, in USD per ounce, copper per pound", "4010.50").nullable(),
    prior_settlement: decimal("The previous settlement of the same contract; null when there is none", "4001.20").nullable(),
    change_value: decimal("settlement_price minus prior_settlement", "9.30").nullable(),
    volume: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Contracts traded", examples: [151_459] }),
    open_interest: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Contracts open at the end of the day", examples: [328_666] }),
    source: z
      .string()
      .nullable()
      .meta({ description: "The feed's key", examples: ["yahoo-chart"] }),
    source_type: z
      .string()
      .meta({ description: "What the figure is", examples: ["proxy_daily_close"], ...known(SETTLEMENT_TYPES) }),
    source_timestamp: timestamp("When the publisher says it was so", "2026-11-20T22:00:00Z").nullable(),
    fetched_at: timestamp("When it was taken in", "2026-11-20T22:10:03Z").nullable(),
    disclaimer: z.string().optional().meta({ description: "Disclaimer; only on proxies" }),
  })
  .meta({ id: "Settlement", description: "The active contract's settlement of one day" });

export type Settlement = z.output<typeof settlement>;

const day = (description: string) =>
  z
    .string()
    .min(1)
    .max(10)
    .meta({ description, examples: ["2026-11-20"], format: "date" })
    .optional();

/** GET /v1/settlements */
export const listSettlements = route({
  method: "GET",
  path: "/v1/settlements",
  tag: "Futures",
  summary: "Daily settlements of a window, newest first",
  description:
    "One row per day, for that day's active contract: the nearest delivery month with high volume, until the 25th of the month before its delivery, when trading has rolled to the next. The front contract of `/v1/forward-view` and of the futures rows of `/v1/prices` stays to its last trading day, so from the 25th to then the two are different contracts. `prior_settlement` is that of the same contract, also after a roll. The window spans at most 365 days.",
  access: { auth: "required", tier: "pro" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(8)
      .meta({ description: PRODUCT_CHOICE, examples: ["GC"], ...known(FUTURES_SYMBOLS) }),
    from: day("First day, inclusive, YYYY-MM-DD; 30 days before `to` when left out"),
    to: day("Last day, inclusive, YYYY-MM-DD; today when left out"),
    limit: z
      .int()
      .min(1)
      .max(365)
      .default(30)
      .meta({
        description: "At most this many rows, the newest of the window",
        override: { type: "integer", minimum: 1, maximum: 365, default: 30 },
      }),
    known_at: knownAt,
  }),
  hints: {
    ...WINDOW_HINTS,
    ...hints(ORDER_NAMES, "rows are newest first"),
    ...KNOWN_HINTS,
    ...hints(["cursor", ...PAGE_NAMES], "a window of at most 365 days is answered at once; move from and to"),
    ...hints(["interval", ...INTERVAL_NAMES], "settlements are daily"),
  },
  output: z
    .object({ settlements: z.array(settlement).meta({ description: "Newest first" }) })
    .meta({ id: "Settlements", description: "Settlements of a window" }),
  errors: ["bad_request", "unknown_past", "validation_error", "service_unavailable"],
  formats: { csv: "settlements" },
  tool: {
    name: "list_settlements",
    description: `Daily settlement prices of the active futures contract of ${PRODUCT_NAME_CHOICE}, newest first. A row with a disclaimer is a public daily close instead of the official settlement.`,
    rows: { list: "settlements", figure: "settlement_price" },
  },
  examples: {
    proxy: {
      summary: "A public daily close in place of the settlement",
      value: {
        settlements: [
          {
            symbol: "GC",
            settlement_date: "2026-11-19",
            settlement_price: "4012.50",
            prior_settlement: "4001.20",
            change_value: "11.30",
            volume: 151_459,
            open_interest: null,
            source: "yahoo-chart",
            source_type: "proxy_daily_close",
            source_timestamp: "2026-11-19T22:00:00Z",
            fetched_at: "2026-11-19T22:10:03Z",
            disclaimer:
              "A public daily close in place of the exchange's settlement; typically within 1 to 5 USD of the official figure.",
          },
        ],
      },
    },
    official: {
      summary: "The exchange's own, from an operator's licensed file; nothing of the day before",
      value: {
        settlements: [
          {
            symbol: "SI",
            settlement_date: "2026-11-19",
            settlement_price: "48.6150",
            prior_settlement: null,
            change_value: null,
            volume: 61_204,
            open_interest: 118_340,
            source: "cme-files",
            source_type: "official_settlement",
            source_timestamp: "2026-11-19T23:00:00Z",
            fetched_at: "2026-11-19T23:04:41Z",
          },
        ],
      },
    },
  },
});
