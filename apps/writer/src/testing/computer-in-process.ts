/** Surfaces computed where the test runs: the thread runs compiled code only. */
import { probabilitySurface } from "@assay/pricing";
import type { SurfaceComputer } from "../surface/surface-computer.ts";

/** A computer without a thread. */
export const computerInProcess = (): SurfaceComputer => ({
  compute: async (input) => probabilitySurface(input),
  close: async () => {},
});
