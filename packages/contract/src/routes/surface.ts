/** The probability surface: where the market thinks a metal will be on a day, and the days there are. */
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { calendarDay, decimal, known, timestamp } from "../values.ts";

/** The metals that have a probability surface, as they stand in paths. */
export const SURFACE_METALS = ["xau", "xag"] as const;
/** A metal that has a probability surface. */
export type SurfaceMetal = (typeof SURFACE_METALS)[number];

/** What kinds of venue a surface is made from. */
export const SURFACE_VENUE_TYPES = ["options", "prediction_market"] as const;
/** What a venue trades. */
export type SurfaceVenueType = (typeof SURFACE_VENUE_TYPES)[number];

/** How far a horizon can be relied on, by the rules of the methodology. */
export const CONFIDENCE_LEVELS = ["high", "medium", "low"] as const;
/** How far a horizon can be relied on. */
export type Confidence = (typeof CONFIDENCE_LEVELS)[number];

/** How a horizon was made. */
export const SURFACE_METHODS = ["lognormal_kernels", "isotonic_ladder", "blend"] as const;
/** How a horizon was made. */
export type SurfaceMethod = (typeof SURFACE_METHODS)[number];

/** What a reader of a horizon should know. */
export const SURFACE_FLAGS = [
  "european_approximation",
  "proxy_underlying",
  "discount_from_rate",
  "basis_from_rate",
  "crosses_calendar",
  "ladder_out_of_order",
  "options_only",
  "prediction_markets_only",
] as const;
/** Something a reader of a horizon should know. */
export type SurfaceFlag = (typeof SURFACE_FLAGS)[number];

const probability = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description, examples: [example] });

const metal = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "The metal, in any case", examples: ["xau"], ...known(SURFACE_METALS) });
const metalName = z.enum(SURFACE_METALS).meta({ description: "The metal" });
const ageSeconds = z
  .number()
  .min(0)
  .meta({ description: "Age of the oldest data it is made from, in seconds", examples: [42] });

/** One strike of a surface. */
export const surfacePoint = z
  .object({
    strike: decimal("USD per troy ounce", "4300.00"),
    prob_above: probability("The probability of ending above the strike; it never rises with the strike", 0.214507),
    raw_prob_above: z
      .number()
      .nullable()
      .meta({
        description:
          "What the venues' own prices say before any smoothing, so that it may break the order or leave 0 to 1; null where nobody quotes this strike",
        examples: [0.22],
      }),
    sources: z.array(z.string()).meta({ description: "Venues whose quotes reach this strike", examples: [["kalshi"]] }),
    extrapolated: z.boolean().meta({ description: "True beyond what any venue quotes", examples: [false] }),
  })
  .meta({ id: "SurfacePoint", description: "One strike of a surface" });

/** One venue a surface is made from. */
export const surfaceVenue = z
  .object({
    venue: z.string().meta({ description: "The venue", examples: ["kalshi"] }),
    type: z.enum(SURFACE_VENUE_TYPES).meta({ description: "What it trades" }),
    markets_used: z
      .int()
      .min(0)
      .meta({ description: "Two-sided quotes that took part", examples: [23] }),
    volume_usd: decimal("Dollars traded, as the venue tells; null where it does not", "184000").nullable(),
    retrieved_at: timestamp("When its quotes were read"),
  })
  .meta({ id: "SurfaceVenue", description: "One venue a surface is made from" });

const percentile = (share: number, example: string) =>
  decimal(`The price that ${share} % of the probability lies below, in USD per troy ounce`, example);

/** GET /v1/surface/{metal} */
export const getSurface = route({
  method: "GET",
  path: "/v1/surface/{metal}",
  tag: "Surface",
  summary: "The probability distribution of a metal on a day",
  description:
    "Risk-neutral probabilities from option prices and prediction markets, blended by how tight they are quoted. A snapshot past its serving age is still served, with its true age. Without `horizon` the default one of the expiries route is used.",
  access: { auth: "required", tier: "pro" },
  input: z.object({
    metal,
    horizon: z
      .string()
      .max(64)
      .meta({ description: "A day of the expiries route, YYYY-MM-DD", examples: ["2026-12-31"], format: "date" })
      .optional(),
  }),
  output: z
    .object({
      metal: metalName,
      horizon: calendarDay("The day, UTC", "2026-12-31"),
      is_default_horizon: z.boolean().meta({ description: "Whether it is the default horizon", examples: [true] }),
      spot_usd: decimal("Spot in USD per troy ounce"),
      forward_usd: decimal("Forward in USD per troy ounce; null without options", "4022.90").nullable(),
      percentiles: z
        .object({
          p10: percentile(10, "3712.40"),
          p25: percentile(25, "3861.90"),
          p50: percentile(50, "4015.30"),
          p75: percentile(75, "4171.80"),
          p90: percentile(90, "4330.60"),
        })
        .meta({ id: "SurfacePercentiles", description: "Where the distribution lies; they never fall" }),
      points: z.array(surfacePoint).meta({ description: "Rising by strike" }),
      venues: z.array(surfaceVenue).meta({ description: "The venues behind it" }),
      confidence: z.enum(CONFIDENCE_LEVELS).meta({ description: "How far it can be relied on" }),
      thin_liquidity: z.boolean().meta({ description: "True when few trade it or only at a wide spread", examples: [false] }),
      method: z.enum(SURFACE_METHODS).meta({ description: "How it was made" }),
      flags: z.array(z.enum(SURFACE_FLAGS)).meta({ description: "What to know about it" }),
      computed_at: timestamp("When it was computed"),
      snapshot_age_seconds: ageSeconds,
      disclaimer: z.string().meta({ description: "What it is not" }),
    })
    .meta({ id: "Surface", description: "The probability distribution of a metal on a day" }),
  errors: [
    "plan_gated",
    "unknown_metal",
    "unknown_horizon",
    "not_found",
    "invalid_horizon",
    "validation_error",
    "service_unavailable",
  ],
});

/** GET /v1/surface/{metal}/expiries */
export const surfaceExpiries = route({
  method: "GET",
  path: "/v1/surface/{metal}/expiries",
  tag: "Surface",
  summary: "The days a metal has a surface for",
  description: "The live horizons by date, and the one that is used when none is named.",
  access: { auth: "required", tier: "pro" },
  input: z.object({ metal }),
  output: z
    .object({
      metal: metalName,
      default_horizon: calendarDay("The horizon used when none is named", "2026-12-31"),
      horizons: z
        .array(
          z
            .object({
              horizon: calendarDay("The day, UTC", "2026-12-31"),
              days_to_expiry: z
                .number()
                .min(0)
                .meta({ description: "Days from now to the expiry", examples: [41.3] }),
              markets_count: z
                .int()
                .min(0)
                .meta({ description: "Two-sided quotes behind it", examples: [96] }),
              venues: z.array(z.string()).meta({ description: "The venues behind it", examples: [["kalshi", "polymarket"]] }),
              snapshot_age_seconds: ageSeconds,
            })
            .meta({ id: "SurfaceHorizon", description: "One day there is a surface for" }),
        )
        .meta({ description: "By date" }),
      meta: z
        .object({
          tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
          count: z.int().min(0).meta({ description: "Horizons in this answer" }),
        })
        .meta({ id: "ExpiriesMeta", description: "What is said of an answer beside its horizons" }),
    })
    .meta({ id: "HorizonIndex", description: "The days a metal has a surface for" }),
  errors: ["plan_gated", "unknown_metal", "not_found", "validation_error", "service_unavailable"],
});
