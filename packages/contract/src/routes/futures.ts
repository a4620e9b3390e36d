/** Futures: daily settlements, and the forward view made of them. */
import { z } from "zod";
import { route } from "../route.ts";
import { calendarDay, decimal, FUTURES_SYMBOLS, known, METALS, SETTLEMENT_TYPES, timestamp } from "../values.ts";

/** The front contract's settlement of one day. */
export const settlement = z
  .object({
    symbol: z.enum(FUTURES_SYMBOLS).meta({ description: "The product: GC, SI or HG" }),
    settlement_date: calendarDay("The exchange's day"),
    settlement_price: decimal("Price of the day's front contract, in USD per ounce, copper per pound", "4010.50").nullable(),
    prior_settlement: decimal("The settlement before, of the same contract; null when there is none", "4001.20").nullable(),
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
    disclaimer: z.string().optional().meta({ description: "What the figure is not; only on a proxy" }),
  })
  .meta({ id: "Settlement", description: "The front contract's settlement of one day" });
/** The front contract's settlement of one day. */
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
    "One row a day: that of the day's front contract, which is the nearest active month until the 25th of the month before its delivery. `prior_settlement` is of the same contract, over a roll as well. The window spans 365 days at most.",
  access: { auth: "required", tier: "pro" },
  input: z.object({
    symbol: z
      .string()
      .min(1)
      .max(8)
      .meta({ description: "GC, SI or HG", examples: ["GC"], ...known(FUTURES_SYMBOLS) }),
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
  }),
  output: z
    .object({ settlements: z.array(settlement).meta({ description: "Newest first" }) })
    .meta({ id: "Settlements", description: "Settlements of a window" }),
  errors: ["bad_request", "service_unavailable"],
});

/** What is known of a horizon's contract. */
export const futuresBlock = z
  .object({
    contract: z.string().meta({ description: "The contract: product, month code, year", examples: ["GCZ26"] }),
    settle_usd: decimal("Its newest settlement, in USD per ounce, copper per pound", "4010.50"),
    settle_source: z.string().meta({ description: "The feed's key", examples: ["yahoo-chart"] }),
    settle_age_seconds: z
      .int()
      .min(0)
      .meta({ description: "How old the settlement is", examples: [57_600] }),
    open_interest: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Contracts open", examples: [328_666] }),
    volume: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Contracts traded on that day", examples: [151_459] }),
  })
  .meta({ id: "FuturesBlock", description: "What is known of a horizon's contract" });
/** What is known of a horizon's contract. */
export type FuturesBlock = z.output<typeof futuresBlock>;

const faults = (description: string) => z.array(z.string()).meta({ description });

/** One contract's end. */
export const horizon = z
  .object({
    expiry: calendarDay("The contract's last day of trading", "2026-12-29"),
    futures: futuresBlock.nullable().meta({ description: "Null when no settlement of the contract is known" }),
    errors: faults("What is missing or late here"),
  })
  .meta({ id: "Horizon", description: "One contract's end" });
/** One contract's end. */
export type Horizon = z.output<typeof horizon>;

const sourceBlock = z
  .object({
    id: z.string().meta({ description: "The feed's key", examples: ["yahoo-chart"] }),
    publisher: z.string().meta({ description: "Who publishes the figures", examples: ["Yahoo Finance"] }),
    url: z.string().meta({ description: "A page about them; empty when there is none" }),
    retrieved_at: timestamp("When the newest of them was taken in", "2026-11-20T22:10:03Z").nullable(),
    type: z.literal("futures").meta({ description: "Always futures" }),
  })
  .meta({ id: "ForwardSource", description: "Where settlements come from" });

/** GET /v1/forward-view/{asset} */
export const forwardView = route({
  method: "GET",
  path: "/v1/forward-view/{asset}",
  tag: "Futures",
  summary: "The futures curve up to a year out",
  description:
    "A horizon per active contract from the front to those that end within a year, by date: the nearest settlement is the one the futures row shows. XAU is open to every tier, XAG and HG need Pro. Free and keyless callers see the curve and the spot price as of 15 minutes ago.",
  access: { auth: "optional" },
  input: z.object({
    asset: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: "XAU, XAG or HG", examples: ["XAU"], ...known(METALS) }),
  }),
  output: z
    .object({
      asset: z.enum(METALS).meta({ description: "Metal code" }),
      spot_usd: decimal("The spot price, in USD per ounce, copper per pound"),
      computed_at: timestamp("When the spot price was computed"),
      horizons: z.array(horizon).meta({ description: "By date" }),
      sources: z.array(sourceBlock).meta({ description: "Where the settlements come from" }),
      errors: faults("Every fault of a horizon, with its contract"),
    })
    .meta({ id: "ForwardView", description: "The futures curve beside the spot price" }),
  errors: ["bad_request", "plan_gated", "spot_unavailable", "no_horizons_available"],
});
