/** What the writer computes off the main thread: work of tens of milliseconds and more would keep requests and the lease waiting. */
import type { BarRow, HistoryGap, HorizonSurface, SurfaceInput } from "@assay/pricing";
import type { SimulatedBars } from "../simulated/make-bars.ts";
import { WorkerThread } from "./worker-thread.ts";

/** Computes one answer at a time. */
export interface Thread<Input, Output> {
  /** @throws Error when it failed, or timed out and was cancelled, or is computing already */
  ask(input: Input): Promise<Output>;
  /** Cancels the computation in progress and releases its resources. */
  close(): Promise<void>;
}

/** What the thread of bars is asked for. */
export interface BarsRequest extends SimulatedBars {
  readonly gap: HistoryGap;
}

/** Opens the threads of a term; each starts with its first question. */
export interface Threads {
  surfaces(): Thread<SurfaceInput, HorizonSurface[]>;
  bars(): Thread<BarsRequest, BarRow[]>;
}

/** Real threads, which run compiled code. */
export const workerThreads: Threads = {
  surfaces: () => new WorkerThread(new URL("./surface-worker.js", import.meta.url)),
  bars: () => new WorkerThread(new URL("./bars-worker.js", import.meta.url)),
};
