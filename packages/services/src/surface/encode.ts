/** Encodes surfaces for the wire. */
import { type AssayContract, formatTimestamp, type OutputOf } from "@assay/contract";
import { type HorizonSurface, presentPrice } from "@assay/pricing";

const DISCLAIMER =
  "Risk-neutral probabilities implied by market prices: neither a forecast nor advice. See the methodology for how they are made.";

/** Whole seconds since an instant, never below 0. */
export const ageSeconds = (sinceMs: number, nowMs: number): number => Math.max(0, Math.floor((nowMs - sinceMs) / 1_000));

/** One horizon's answer. */
export const encodeSurface = (
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
    retrieved_at: formatTimestamp(new Date(retrievedAtMs)),
  })),
  confidence: surface.confidence,
  thin_liquidity: surface.thinLiquidity,
  method: surface.method,
  flags: [...surface.flags],
  computed_at: formatTimestamp(new Date(surface.computedAtMs)),
  snapshot_age_seconds: ageSeconds(surface.retrievedAtMs, nowMs),
  disclaimer: DISCLAIMER,
});
