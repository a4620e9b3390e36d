/** The document that the console's front page is made from. */
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { BAR_SYMBOLS, decimal, known, SPOT_SYMBOLS, timestamp } from "../values.ts";
import { bar, closedBar, formingBar } from "./bars.ts";
import { exampleKarat, exampleRow, exampleSources, spotRow } from "./spot.ts";

/** Where the prices of a service come from. */
export const MARKET_MODES = ["simulated", "replay", "live"] as const;
export type MarketMode = (typeof MARKET_MODES)[number];

const frontRow = spotRow
  .extend({
    price_kilogram: decimal("Price of one kilogram in the quote currency; absent when unavailable", "128705.95").optional(),
    price_tola: decimal("Price of one tola (11.6638038 g) in the quote currency; absent when unavailable", "1501.20").optional(),
  })
  .meta({ id: "FrontRow", description: "A row of `/v1/prices`, with the price of two more weights" });

const frontDay = z
  .object({
    symbol: z.string().meta({ description: "The symbol", examples: ["XAU-USD-SPOT"], ...known(SPOT_SYMBOLS) }),
    open_price: decimal("The UTC day's open", "3991.80").optional(),
    high_price: decimal("The UTC day's high", "4011.65").optional(),
    low_price: decimal("The UTC day's low", "3986.40").optional(),
    prev_close_price: decimal("The close of the UTC day before the price's own", "3990.90").optional(),
    ch: decimal("Price minus previous close", "12.30").optional(),
    chp: decimal("That change in percent", "0.31").optional(),
  })
  .meta({
    id: "FrontDay",
    description: "A symbol's UTC day in USD, from its daily bars as anyone may read them; what is unknown is omitted",
  });

const frontBars = z
  .object({
    symbol: z.string().meta({ description: "The series", examples: ["XAU-USD-SPOT"], ...known(BAR_SYMBOLS) }),
    interval: z.literal("1d").meta({ description: "Daily" }),
    bars: z.array(bar).meta({ description: "Newest first; the first one may still be forming" }),
    complete: z.boolean().meta({ description: "Whether none of them is still being filled in", examples: [true] }),
  })
  .meta({ id: "FrontBars", description: "The bars of a series as far back as they go without a key" });

/** GET /console/market.json */
export const frontDocument = route({
  method: "GET",
  path: "/console/market.json",
  tag: "Console",
  summary: "What the market looks like without a key",
  description:
    "The console's front page in one document: the rows, bars and day that anyone may read, as of one instant: by default 15 minutes ago. Made every ten seconds; all who ask in between get identical bytes. A year of closes is at `/v1/public/xau-history`, the tiers at `/v1/metadata/tiers`.",
  access: { auth: "none", limit: "none", metered: false },
  success: { status: 200, cacheControl: "public, max-age=10", isValidated: true },
  input: z.object({}),
  output: z
    .object({
      as_of: timestamp("The instant of every figure; nothing in the document is younger", "2026-11-20T14:03:30Z"),
      tier: z.enum(TIER_NAMES).meta({ description: "The tier of callers without a key", examples: ["free"] }),
      delay_minutes: z.int().meta({ description: "How far that is in the past, in minutes", examples: [15] }),
      mode: z.enum(MARKET_MODES).meta({
        description: "simulated when any price is made up, replay when any comes from a replay file, else live",
      }),
      market: z
        .object({
          state: z.enum(["open", "closed"]).meta({ description: "Whether the spot market is open" }),
          next_change_at: timestamp("When that changes; null for never", "2026-11-20T22:00:00Z").nullable(),
        })
        .meta({ description: "Whether the spot market trades now" }),
      symbols: z.array(frontRow).meta({
        description:
          "What `/v1/prices?include=karat` answers without a key: by default gold in every currency. Rows in USD also have their sources.",
      }),
      days: z.array(frontDay).meta({
        description:
          "The day of every symbol, as `stats` has it, of a cross once one has begun; empty where bars are switched off",
      }),
      bars: z.array(frontBars).meta({ description: "Bars for the chart; empty where they are switched off" }),
    })
    .meta({ id: "FrontDocument", description: "What the market looks like without a key" }),
  errors: ["service_unavailable"],
  examples: {
    gold: {
      summary: "One currency of the rows, and two days of the bars",
      value: {
        as_of: "2026-11-20T14:03:30Z",
        tier: "free",
        delay_minutes: 15,
        mode: "live",
        market: { state: "open", next_change_at: "2026-11-20T22:00:00Z" },
        symbols: [
          {
            ...exampleRow,
            ...exampleKarat,
            sources: exampleSources,
            price_kilogram: "128705.87",
            price_tola: "1501.20",
          },
        ],
        days: [
          {
            symbol: "XAU-USD-SPOT",
            open_price: "3994.70",
            high_price: "4011.25",
            low_price: "3990.05",
            prev_close_price: "3994.65",
            ch: "8.55",
            chp: "0.21",
          },
        ],
        bars: [
          {
            symbol: "XAU-USD-SPOT",
            interval: "1d",
            complete: true,
            bars: [formingBar, closedBar],
          },
        ],
      },
    },
  },
});
