/** The interface for computing surfaces off the main thread, since a whole one takes most of a second. */
import type { HorizonSurface, SurfaceInput } from "@assay/pricing";

/** Computes surfaces, one at a time. */
export interface SurfaceComputer {
  /** @throws Error when it failed, or timed out and was cancelled */
  compute(input: SurfaceInput): Promise<HorizonSurface[]>;
  /** Cancels the computation in progress and releases its resources. */
  close(): Promise<void>;
}
