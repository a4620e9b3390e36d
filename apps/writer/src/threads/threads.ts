/** What the writer computes off the main thread: work of tens of milliseconds and more would keep requests and the lease waiting. */
import type { BarLines } from "@assay/db/bar-lines";
import type { HistoryGap, HorizonSurface, SurfaceInput } from "@assay/pricing";
import type { SimulatedBars } from "../simulated/make-bars.ts";
import type { Thread } from "./thread.ts";
import { WorkerThread } from "./worker-thread.ts";

/** What the thread of bars is asked for. */
export interface BarsRequest extends SimulatedBars {
  readonly gap: HistoryGap;
}

/** Opens the threads of a term; each starts with its first question. */
export interface Threads {
  surfaces(): Thread<SurfaceInput, HorizonSurface[]>;
  bars(): Thread<BarsRequest, BarLines[]>;
}

/** Real threads, which run compiled code. */
export const workerThreads: Threads = {
  surfaces: () => new WorkerThread(new URL("./surface-worker.js", import.meta.url)),
  bars: () => new WorkerThread(new URL("./bars-worker.js", import.meta.url)),
};
