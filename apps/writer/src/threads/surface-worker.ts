/** The thread that computes surfaces: a chain and its books in, horizons out. */
import { parentPort } from "node:worker_threads";
import { probabilitySurface, type SurfaceInput } from "@assay/pricing";

parentPort?.on("message", (input: SurfaceInput) => {
  parentPort?.postMessage(probabilitySurface(input));
});
