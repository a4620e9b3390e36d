/** GET /v1/surface/{metal}: the distribution of one horizon. */
import type { AssayContract, Verb } from "@assay/contract";
import { defaultHorizon } from "@assay/pricing";
import type { VerbContext } from "../context.ts";
import { readDay } from "../input/instant.ts";
import { encodeSurface } from "./encode.ts";
import { readSurfaceMetal } from "./metal.ts";
import type { SurfaceView } from "./surface-view.ts";

/** The surface of a horizon, or of the default one; an old snapshot is served with its age. */
export const getSurface =
  (view: SurfaceView): Verb<AssayContract["surface"]["get"], VerbContext> =>
  (input, { nowMs, fail }) => {
    if (input.horizon !== undefined && readDay(input.horizon) === null) return fail("invalid_horizon");
    const metal = readSurfaceMetal(input.metal);
    if (!metal) return fail("unknown_metal");
    const surfaces = view.horizons(metal, nowMs);
    const standard = defaultHorizon(surfaces, nowMs);
    if (standard === null) return fail("not_found", { message: "There is no live surface of this metal." });
    const horizon = input.horizon ?? standard;
    const surface = surfaces.find((one) => one.horizon === horizon);
    return surface ? encodeSurface(surface, horizon === standard, nowMs) : fail("unknown_horizon");
  };
