/** Arbitrage signals: contracts that can be bought at one venue and sold for more at another, after all fees. */
import { z } from "zod";
import { route } from "../route.ts";
import { calendarDay, decimal, EXAMPLE_MOMENT, known, timestamp } from "../values.ts";
import { SURFACE_METALS } from "./surface.ts";

/** Kinds of signals: the same bet at two prices, or a less likely bet priced above a more likely one. */
export const SIGNAL_TYPES = ["digital", "ladder"] as const;

export type SignalType = (typeof SIGNAL_TYPES)[number];

const leg = (what: string) =>
  z
    .object({
      venue: z.string().meta({ description: "The venue", examples: ["kalshi"] }),
      market_id: z.string().meta({ description: "The venue's own name for the market", examples: ["KXGOLDD-26SEP2217-T4545"] }),
      side: z.enum(["yes", "no"]).meta({ description: "The side of the market that the price refers to" }),
      price: decimal(`Average price ${what}, in dollars for a contract that pays one`, "0.47"),
      size_usd: decimal("Payout in dollars available at the prices used", "300"),
    })
    .meta(
      what === "paid"
        ? { id: "SignalBuy", description: "What is bought, and where" }
        : { id: "SignalSell", description: "What is sold, and where" },
    );

const bps = (description: string, example: number) => z.number().meta({ description, examples: [example] });

export const arbitrageSignal = z
  .object({
    id: z.string().meta({ description: "Stays the same while the edge lasts", examples: ["arb_5f0c1d7be93a2c44"] }),
    horizon_target: calendarDay("The day both markets settle, UTC", "2026-12-31"),
    type: z
      .enum(SIGNAL_TYPES)
      .meta({ description: "`digital`: the same strike. `ladder`: the strike bought is below the one sold" }),
    strike: decimal("The strike bought, in USD per troy ounce", "4300"),
    buy: leg("paid"),
    sell: leg("received"),
    gross_edge_bps: bps("Sell over buy, in bps of the payout", 300),
    fees_bps: bps("Fees of both venues, in bps of the payout", 212.5),
    net_edge_bps: bps("What is left, in bps of the payout", 87.5),
    executable_size_usd: decimal("Payout in dollars that can be traded at these prices", "250"),
    detected_at: timestamp("When the edge was first seen"),
  })
  .meta({ id: "ArbitrageSignal", description: "An edge that can be traded" });

/** GET /v1/signals/arbitrage */
export const arbitrageSignals = route({
  method: "GET",
  path: "/v1/signals/arbitrage",
  tag: "Surface",
  summary: "Executable edges between venues",
  description:
    "Only bids and asks with size count, after both venues' fees, between markets with the same expiry instant and settlement figure. An empty list is normal.",
  access: { auth: "required", tier: "pro" },
  input: z.object({
    metal: z
      .string()
      .toLowerCase()
      .pipe(z.enum(SURFACE_METALS))
      .meta({ description: "The metal, case-insensitive", examples: ["xau"], ...known(SURFACE_METALS) }),
  }),
  output: z
    .object({
      metal: z.enum(SURFACE_METALS).meta({ description: "The metal" }),
      signals: z.array(arbitrageSignal).meta({ description: "Largest net edge first" }),
    })
    .meta({ id: "ArbitrageSignals", description: "The current edges of a metal" }),
  errors: ["plan_gated", "unknown_metal", "validation_error", "service_unavailable"],
  formats: { csv: "signals" },
  examples: {
    none: { summary: "No edge, the normal case", value: { metal: "xau", signals: [] } },
    edge: {
      summary: "The same bet, dearer at another venue after both fees",
      value: {
        metal: "xau",
        signals: [
          {
            id: "arb_5f0c1d7be93a2c44",
            horizon_target: "2026-12-18",
            type: "digital",
            strike: "4050",
            buy: { venue: "kalshi", market_id: "KXGOLDD-26DEC1817-T4050", side: "yes", price: "0.44", size_usd: "300.00" },
            sell: { venue: "polymarket", market_id: "gc-above-4050-dec-18", side: "yes", price: "0.5", size_usd: "250.00" },
            gross_edge_bps: 600,
            fees_bps: 272.5,
            net_edge_bps: 327.5,
            executable_size_usd: "250.00",
            detected_at: EXAMPLE_MOMENT,
          },
        ],
      },
    },
  },
});
