/** Where surfaces are computed: beside the writer, since a whole one takes most of a second. */
import type { HorizonSurface, SurfaceInput } from "@assay/pricing";

/** Computes surfaces, one at a time. */
export interface SurfaceComputer {
  /** @throws Error when it failed, or took too long and was cut off */
  compute(input: SurfaceInput): Promise<HorizonSurface[]>;
  /** Cuts off what is under way and gives up what it holds. */
  close(): Promise<void>;
}
