/** The forward view: the futures curve, from settlements. */
import { z } from "zod";
import { route } from "../route.ts";
import { calendarDay, decimal, EXAMPLE_MOMENT, FUTURES_METALS, known, timestamp } from "../values.ts";
import { FUTURES_METAL_CHOICE, FUTURES_NAME_CHOICE, METAL_TIERS } from "../wording.ts";

/** The contract behind a horizon. */
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

export type FuturesBlock = z.output<typeof futuresBlock>;

const faults = (description: string) => z.array(z.string()).meta({ description });

/** One contract's expiry. */
export const horizon = z
  .object({
    expiry: calendarDay("The contract's last day of trading", "2026-12-29"),
    futures: futuresBlock.nullable().meta({ description: "Null when no settlement of the contract is known" }),
    errors: faults("What is missing or late here"),
  })
  .meta({ id: "Horizon", description: "One contract of the curve" });

export type Horizon = z.output<typeof horizon>;

const sourceBlock = z
  .object({
    id: z.string().meta({ description: "The feed's key", examples: ["yahoo-chart"] }),
    publisher: z.string().meta({ description: "Who publishes the figures", examples: ["Yahoo Finance"] }),
    url: z.string().meta({ description: "A page about them; empty if there is none" }),
    retrieved_at: timestamp("When the newest of them was taken in", "2026-11-20T22:10:03Z").nullable(),
    type: z.literal("futures").meta({ description: "Always futures" }),
  })
  .meta({ id: "ForwardSource", description: "Where settlements come from" });

/** GET /v1/forward-view/{asset} */
export const getForwardView = route({
  method: "GET",
  path: "/v1/forward-view/{asset}",
  tag: "Futures",
  summary: "The futures curve up to a year out",
  description: `One horizon per contract of a delivery month with high volume, by date: from the front contract, the nearest that still trades, to those that expire within a year. The nearest settlement is the one in the futures row of \`/v1/prices\`. \`/v1/settlements\` shows the active contract instead, which rolls to the next one on the 25th of the month before delivery. XAU is included in every tier. ${METAL_TIERS} Delayed callers see the curve and the spot price as of 15 minutes ago.`,
  access: { auth: "optional" },
  input: z.object({
    asset: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: FUTURES_METAL_CHOICE, examples: ["XAU"], ...known(FUTURES_METALS) }),
  }),
  output: z
    .object({
      asset: z.enum(FUTURES_METALS).meta({ description: "Metal code" }),
      spot_usd: decimal("The spot price, in USD per ounce, copper per pound"),
      computed_at: timestamp("When the spot price was computed"),
      horizons: z.array(horizon).meta({ description: "By date" }),
      sources: z.array(sourceBlock).meta({ description: "Where the settlements come from" }),
      errors: faults("Everything missing or late, with its contract"),
    })
    .meta({ id: "ForwardView", description: "The futures curve beside the spot price" }),
  errors: ["bad_request", "plan_gated", "spot_unavailable", "no_horizons_available"],
  formats: { csv: "horizons" },
  tool: {
    name: "get_forward_view",
    description: `The futures curve of ${FUTURES_NAME_CHOICE} up to a year out, beside the spot price: what the market pays for later delivery.`,
  },
  examples: {
    curve: {
      summary: "A curve with a horizon nothing is known of",
      value: {
        asset: "XAU",
        spot_usd: "4003.20",
        computed_at: EXAMPLE_MOMENT,
        horizons: [
          {
            expiry: "2026-12-29",
            futures: {
              contract: "GCZ26",
              settle_usd: "4012.50",
              settle_source: "yahoo-chart",
              settle_age_seconds: 57_807,
              open_interest: null,
              volume: 151_459,
            },
            errors: [],
          },
          { expiry: "2027-02-24", futures: null, errors: ["no settlement is known"] },
        ],
        sources: [
          {
            id: "yahoo-chart",
            publisher: "Yahoo Finance",
            url: "https://finance.yahoo.com",
            retrieved_at: "2026-11-19T22:10:03Z",
            type: "futures",
          },
        ],
        errors: ["GCG27: no settlement is known"],
      },
    },
  },
});
