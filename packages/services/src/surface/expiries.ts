/** GET /v1/surface/{metal}/expiries: the available horizons. */
import type { AssayContract, Verb } from "@assay/contract";
import { defaultHorizon, horizonIndex } from "@assay/pricing";
import type { VerbContext } from "../context.ts";
import { ageSeconds } from "./encode.ts";
import { readSurfaceMetal } from "./metal.ts";
import type { SurfaceView } from "./surface-view.ts";

/** The live horizons of a metal, by date. */
export const expiries =
  (view: SurfaceView): Verb<AssayContract["surface"]["expiries"], VerbContext> =>
  (input, { caller, nowMs, fail }) => {
    const metal = readSurfaceMetal(input.metal);
    if (!metal) return fail("unknown_metal");
    const surfaces = view.horizons(metal, nowMs);
    const standard = defaultHorizon(surfaces, nowMs);
    if (standard === null) return fail("not_found", { message: "There is no live surface of this metal." });
    const horizons = horizonIndex(surfaces, nowMs).map((entry) => ({
      horizon: entry.horizon,
      days_to_expiry: entry.daysToExpiry,
      markets_count: entry.marketsCount,
      venues: [...entry.venues],
      snapshot_age_seconds: ageSeconds(entry.retrievedAtMs, nowMs),
    }));
    return { metal, default_horizon: standard, horizons, meta: { tier: caller.tier, count: horizons.length } };
  };
