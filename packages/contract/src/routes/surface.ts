/** The probability surface: where the market expects a metal's price to be on a given day, and the days available. */
import { catalogue } from "@assay/catalogue";
import { z } from "zod";
import { route } from "../route.ts";
import { TIER_NAMES } from "../tiers.ts";
import { calendarDay, decimal, EXAMPLE_MOMENT, known, timestamp } from "../values.ts";
import { SURFACE_NAME_CHOICE } from "../wording.ts";

/** Metals with a probability surface, as written in paths. */
export const SURFACE_METALS: readonly SurfaceMetal[] = catalogue.spotMetals
  .filter(({ surface }) => surface !== null)
  .map(({ code }) => code.toLowerCase());

export type SurfaceMetal = string;

export const SURFACE_VENUE_TYPES = ["options", "prediction_market"] as const;

export type SurfaceVenueType = (typeof SURFACE_VENUE_TYPES)[number];

/** How reliable a horizon is, by the rules of the methodology. */
export const CONFIDENCE_LEVELS = ["high", "medium", "low"] as const;

export type Confidence = (typeof CONFIDENCE_LEVELS)[number];

/** How a horizon was built. */
export const SURFACE_METHODS = ["lognormal_kernels", "isotonic_ladder", "blend"] as const;

export type SurfaceMethod = (typeof SURFACE_METHODS)[number];

/** Caveats about a horizon. */
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

/** A caveat about a horizon. */
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
  .meta({ description: "The metal, case-insensitive", examples: ["xau"], ...known(SURFACE_METALS) });

const metalName = z.enum(SURFACE_METALS).meta({ description: "The metal" });

const ageSeconds = z
  .number()
  .min(0)
  .meta({ description: "Age of the oldest data it is made from, in seconds", examples: [42] });

export const surfacePoint = z
  .object({
    strike: decimal("USD per troy ounce", "4300.00"),
    prob_above: probability("The probability of ending above the strike; it never rises with the strike", 0.214507),
    raw_prob_above: z
      .number()
      .nullable()
      .meta({
        description:
          "The venues' own prices before any smoothing, so they may be out of order or outside 0 to 1; null if no venue quotes this strike",
        examples: [0.22],
      }),
    sources: z.array(z.string()).meta({ description: "Venues whose quotes reach this strike", examples: [["kalshi"]] }),
    extrapolated: z.boolean().meta({ description: "True beyond what any venue quotes", examples: [false] }),
  })
  .meta({ id: "SurfacePoint", description: "One strike of a surface" });

export const surfaceVenue = z
  .object({
    venue: z.string().meta({ description: "The venue", examples: ["kalshi"] }),
    type: z.enum(SURFACE_VENUE_TYPES).meta({ description: "What it trades" }),
    markets_used: z
      .int()
      .min(0)
      .meta({ description: "Two-sided quotes that were used", examples: [23] }),
    volume_usd: decimal("Dollars traded, as the venue reports it; null if it does not", "184000").nullable(),
    retrieved_at: timestamp("When its quotes were read"),
  })
  .meta({ id: "SurfaceVenue", description: "A venue behind a surface" });

const percentile = (share: number, example: string) =>
  decimal(`The price with ${share} % of the probability below it, in USD per troy ounce`, example);

/** GET /v1/surface/{metal} */
export const getSurface = route({
  method: "GET",
  path: "/v1/surface/{metal}",
  tag: "Surface",
  summary: "The probability distribution of a metal on a day",
  description:
    "Risk-neutral probabilities from option prices and prediction markets, weighted by how tightly they are quoted. Old snapshots are still served, with their true age. Without `horizon`, the default of the expiries route is used.",
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
        .meta({ id: "SurfacePercentiles", description: "Percentiles of the distribution, non-decreasing" }),
      points: z.array(surfacePoint).meta({ description: "By increasing strike" }),
      venues: z.array(surfaceVenue).meta({ description: "The venues behind it" }),
      confidence: z.enum(CONFIDENCE_LEVELS).meta({ description: "How reliable it is" }),
      thin_liquidity: z.boolean().meta({ description: "True with few quotes or wide spreads", examples: [false] }),
      method: z.enum(SURFACE_METHODS).meta({ description: "How it was computed" }),
      flags: z.array(z.enum(SURFACE_FLAGS)).meta({ description: "Caveats" }),
      computed_at: timestamp("When it was computed"),
      snapshot_age_seconds: ageSeconds,
      disclaimer: z.string().meta({ description: "Disclaimer" }),
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
  formats: { csv: "points" },
  tool: {
    name: "get_price_probabilities",
    description: `The probability, implied by options and prediction markets, that ${SURFACE_NAME_CHOICE} is above each of many prices on a future day. It is risk-neutral: neither a forecast nor advice.`,
  },
  examples: {
    blend: {
      summary: "Options and two prediction markets blended; most strikes are left out here",
      value: {
        metal: "xau",
        horizon: "2026-12-18",
        is_default_horizon: true,
        spot_usd: "4003.20",
        forward_usd: "4022.90",
        percentiles: { p10: "3783.90", p25: "3899.20", p50: "4021.90", p75: "4146.40", p90: "4263.60" },
        points: [
          {
            strike: "3900.00",
            prob_above: 0.748413,
            raw_prob_above: 0.751022,
            sources: ["bybit-options", "kalshi"],
            extrapolated: false,
          },
          {
            strike: "4000.00",
            prob_above: 0.546118,
            raw_prob_above: 0.54488,
            sources: ["bybit-options", "kalshi"],
            extrapolated: false,
          },
          { strike: "4550.00", prob_above: 0.006204, raw_prob_above: null, sources: [], extrapolated: true },
        ],
        venues: [
          { venue: "bybit-options", type: "options", markets_used: 41, volume_usd: "184000", retrieved_at: EXAMPLE_MOMENT },
          { venue: "kalshi", type: "prediction_market", markets_used: 11, volume_usd: null, retrieved_at: EXAMPLE_MOMENT },
        ],
        confidence: "high",
        thin_liquidity: false,
        method: "blend",
        flags: ["proxy_underlying"],
        computed_at: EXAMPLE_MOMENT,
        snapshot_age_seconds: 42,
        disclaimer:
          "Risk-neutral probabilities implied by market prices: neither a forecast nor advice. See the methodology for how they are made.",
      },
    },
  },
});

/** GET /v1/surface/{metal}/expiries */
export const expiries = route({
  method: "GET",
  path: "/v1/surface/{metal}/expiries",
  tag: "Surface",
  summary: "The days a metal has a surface for",
  description: "The live horizons by date, and the default one.",
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
          count: z.int().min(0).meta({ description: "Horizons in this response" }),
        })
        .meta({ id: "ExpiriesMeta", description: "Metadata of the response" }),
    })
    .meta({ id: "HorizonIndex", description: "The days a metal has a surface for" }),
  errors: ["plan_gated", "unknown_metal", "not_found", "validation_error", "service_unavailable"],
  formats: { csv: "horizons" },
  examples: {
    index: {
      summary: "Two days, one of them without quotes for hours",
      value: {
        metal: "xau",
        default_horizon: "2026-12-18",
        horizons: [
          {
            horizon: "2026-12-18",
            days_to_expiry: 28.25,
            markets_count: 52,
            venues: ["bybit-options", "kalshi"],
            snapshot_age_seconds: 42,
          },
          {
            horizon: "2027-03-26",
            days_to_expiry: 126.25,
            markets_count: 9,
            venues: ["bybit-options"],
            snapshot_age_seconds: 10_800,
          },
        ],
        meta: { tier: "pro", count: 2 },
      },
    },
  },
});
