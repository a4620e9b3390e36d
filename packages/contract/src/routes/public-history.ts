/** A year of daily gold closes, open to everyone. */
import { z } from "zod";
import { route } from "../route.ts";
import { calendarDay, complete, decimal, timestamp } from "../values.ts";

/** One day of the series. */
const dailyClose = z
  .object({ date: calendarDay("The day"), close: decimal("Close in USD per troy ounce") })
  .meta({ id: "DailyClose", description: "The close of one day" });

/** GET /v1/public/xau-history */
export const xauPublicHistory = route({
  method: "GET",
  path: "/v1/public/xau-history",
  tag: "Public history",
  summary: "One year of daily XAU-USD-SPOT closes",
  description:
    "Refreshed every hour; callers in the same hour get identical bytes. No key, no limit. Newest first. A day's close appears once it is 15 minutes old at `as_of`.",
  access: { auth: "none", limit: "none", metered: false },
  success: { status: 200, isValidated: true },
  input: z.object({}),
  output: z
    .object({
      symbol: z.string().meta({ description: "Always XAU-USD-SPOT", examples: ["XAU-USD-SPOT"] }),
      quote_currency: z.string().meta({ description: "Always USD", examples: ["USD"] }),
      unit: z.literal("troy_ounce").meta({ description: "Closes are per troy ounce" }),
      interval: z.literal("1d").meta({ description: "Daily" }),
      from: calendarDay("First day of the window"),
      to: calendarDay("Last day of the window"),
      as_of: timestamp("The hour's start"),
      series: z.array(dailyClose).meta({ description: "Newest first" }),
      meta: z
        .object({ count: z.int().min(0).meta({ description: "Rows in the series" }), complete })
        .meta({ description: "Metadata of the response" }),
    })
    .meta({ id: "PublicHistory", description: "A year of daily gold closes, newest first" }),
  errors: ["service_unavailable"],
  formats: { csv: "series" },
  examples: {
    year: {
      summary: "The newest two of a year's closes",
      value: {
        symbol: "XAU-USD-SPOT",
        quote_currency: "USD",
        unit: "troy_ounce",
        interval: "1d",
        from: "2025-11-20",
        to: "2026-11-19",
        as_of: "2026-11-20T14:00:00Z",
        series: [
          { date: "2026-11-19", close: "3994.65" },
          { date: "2026-11-18", close: "3981.10" },
        ],
        meta: { count: 2 },
      },
    },
  },
});
