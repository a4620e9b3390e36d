/** The thread that makes simulated bars: a gap in, its bars out. */
import { parentPort } from "node:worker_threads";
import { makeLines } from "../simulated/make-bars.ts";
import type { BarsRequest } from "./threads.ts";

parentPort?.on("message", ({ gap, ...options }: BarsRequest) => {
  parentPort?.postMessage(makeLines(gap, options));
});
