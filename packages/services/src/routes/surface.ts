/** The probabilities of prices to come, and their horizons. */
import { type AssayContract, formatTimestamp, type OutputOf, type Verb } from "@assay/contract";
import { type HorizonSurface, horizonIndex, presentPrice } from "@assay/pricing";
import type { VerbContext } from "../context.ts";
import { readDay } from "../input.ts";
import { requireSurfaces, type SurfaceView, snapshotAge } from "../market/surface-book.ts";

const DISCLAIMER =
  "Risk-neutral probabilities implied by market prices: neither a forecast nor advice. See the methodology for how they are made.";

const encodeSurface = (
  surface: HorizonSurface,
  isDefault: boolean,
  nowMs: number,
): OutputOf<AssayContract["surface"]["get"]> => ({
  metal: surface.metal,
  horizon: surface.horizon,
  is_default_horizon: isDefault,
  spot_usd: presentPrice(surface.spotUsd),
  forward_usd: surface.forwardUsd,
  percentiles: { ...surface.percentiles },
  points: surface.points.map(({ strike, probAbove, rawProbAbove, sources, extrapolated }) => ({
    strike,
    prob_above: probAbove,
    raw_prob_above: rawProbAbove,
    sources: [...sources],
    extrapolated,
  })),
  venues: surface.venues.map(({ venue, type, marketsUsed, volumeUsd, retrievedAtMs }) => ({
    venue,
    type,
    markets_used: marketsUsed,
    volume_usd: volumeUsd,
    retrieved_at: formatTimestamp(retrievedAtMs),
  })),
  confidence: surface.confidence,
  thin_liquidity: surface.thinLiquidity,
  method: surface.method,
  flags: [...surface.flags],
  computed_at: formatTimestamp(surface.computedAtMs),
  snapshot_age_seconds: snapshotAge(surface.retrievedAtMs, nowMs),
  disclaimer: DISCLAIMER,
});

/** `GET /v1/surface/{metal}`: the surface of a horizon, or of the default one; an old snapshot is served with its age. */
export const getSurface =
  (view: SurfaceView): Verb<AssayContract["surface"]["get"], VerbContext> =>
  (input, { nowMs, fail }) => {
    if (input.horizon !== undefined && readDay(input.horizon) === null) return fail("invalid_horizon");
    const { surfaces, standard } = requireSurfaces(view, input.metal, nowMs, fail);
    const horizon = input.horizon ?? standard;
    const surface = surfaces.find((one) => one.horizon === horizon);
    if (surface) return encodeSurface(surface, horizon === standard, nowMs);
    const known = surfaces.map((one) => one.horizon).join(", ");
    return fail("unknown_horizon", { message: `The horizon is not a live one; use one of ${known}.` });
  };

/** `GET /v1/surface/{metal}/expiries`: the live horizons of a metal, by date. */
export const expiries =
  (view: SurfaceView): Verb<AssayContract["surface"]["expiries"], VerbContext> =>
  (input, { caller, nowMs, fail }) => {
    const { metal, surfaces, standard } = requireSurfaces(view, input.metal, nowMs, fail);
    const horizons = horizonIndex(surfaces, nowMs).map((entry) => ({
      horizon: entry.horizon,
      days_to_expiry: entry.daysToExpiry,
      markets_count: entry.marketsCount,
      venues: [...entry.venues],
      snapshot_age_seconds: snapshotAge(entry.retrievedAtMs, nowMs),
    }));
    return { metal, default_horizon: standard, horizons, meta: { tier: caller.tier, count: horizons.length } };
  };
