/** Computes surfaces in the test's own process: the thread only runs compiled code. */
import { probabilitySurface } from "@assay/pricing";
import type { SurfaceComputer } from "../surface/surface-computer.ts";

/** A computer without a thread. */
export const computerInProcess = (): SurfaceComputer => ({
  compute: async (input) => probabilitySurface(input),
  close: async () => {},
});
