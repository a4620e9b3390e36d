/** A year of daily gold closes for everybody. */
import { z } from "zod";
import { route } from "../route.ts";
import { calendarDay, decimal, timestamp } from "../values.ts";

/** One day of the series. */
const dailyClose = z
  .object({ date: calendarDay("The day"), close: decimal("Close in USD per troy ounce") })
  .meta({ id: "DailyClose", description: "The close of one day" });

/** GET /v1/public/xau-history */
export const xauHistory = route({
  method: "GET",
  path: "/v1/public/xau-history",
  tag: "Public history",
  summary: "One year of daily XAU-USD-SPOT closes",
  description:
    "Refreshed every hour; callers in the same hour get identical bytes. No key, no limit. Newest first. A day's close appears once it is 15 minutes old by `as_of`.",
  access: { auth: "none", limit: "none", metered: false },
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
        .object({ count: z.int().min(0).meta({ description: "Rows in the series" }) })
        .meta({ description: "What was served" }),
    })
    .meta({ id: "PublicHistory", description: "A year of daily gold closes, newest first" }),
  errors: ["service_unavailable"],
});
