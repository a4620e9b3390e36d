/**
 * What the writer computes off the main thread: work of tens of milliseconds and more would keep requests and the lease
 * waiting.
 */
import { Worker } from "node:worker_threads";
import type { BarLines } from "@assay/db/bar-lines";
import type { HistoryGap, HorizonSurface, SurfaceInput } from "@assay/pricing";
import type { SimulatedBars } from "../simulated/make-bars.ts";

/** Computes one answer at a time, off the main thread. */
export interface Thread<Input, Output> {
  /** @throws Error when it failed, or timed out and was cancelled, or is computing already */
  ask(input: Input): Promise<Output>;
  /** Cancels the computation in progress and releases its resources. */
  close(): Promise<void>;
}

/** The default time limit: many times what the longest answer takes on a busy machine. */
const LONGEST_MS = 60_000;
/**
 * How long a thread waits for its next question. A surface is asked for once a minute: a new thread for each one would have V8 compile
 * and optimize its code anew, which takes more CPU than all else of an idle process. An idle thread takes 17 to 22 MB.
 */
const IDLE_MS = 90_000;
/** The heap of the thread, in MiB: a chain of ten thousand quotes, or thirty years of bars, needs a tenth of it. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };

interface RunningTask<Output> {
  readonly done: (output: Output) => void;
  readonly failed: (error: Error) => void;
}

/** Runs a module that answers each message with one. */
export class WorkerThread<Input, Output> implements Thread<Input, Output> {
  readonly #entry: URL;
  readonly #longestMs: number;
  readonly #idleMs: number;
  #thread: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #running: RunningTask<Output> | null = null;

  /**
   * @param entry the compiled module
   * @param longestMs the time limit of an answer
   * @param idleMs how long the thread waits for another question
   */
  constructor(entry: URL, longestMs = LONGEST_MS, idleMs = IDLE_MS) {
    this.#entry = entry;
    this.#longestMs = longestMs;
    this.#idleMs = idleMs;
  }

  async ask(input: Input): Promise<Output> {
    if (this.#running) throw new Error("the thread is already busy");
    clearTimeout(this.#idle);
    let tooLong: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Output>((done, failed) => {
        this.#running = { done, failed };
        const late = () => failed(new Error(`the thread took longer than ${this.#longestMs} ms`));
        tooLong = setTimeout(late, this.#longestMs);
        this.#thread ??= this.#open();
        this.#thread.postMessage(input);
      });
    } catch (error) {
      await this.#end();
      throw error;
    } finally {
      clearTimeout(tooLong);
      this.#running = null;
      this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
    }
  }

  #open(): Worker {
    const thread = new Worker(this.#entry, { resourceLimits: LIMITS });
    thread.unref();
    const gone = (error: Error): void => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#running?.failed(error);
    };
    thread.on("message", (output: Output) => this.#running?.done(output));
    thread.on("error", gone);
    thread.on("exit", (code) => gone(new Error(`the thread exited with ${code}`)));
    return thread;
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  async close(): Promise<void> {
    this.#running?.failed(new Error("the thread was closed"));
    await this.#end();
  }
}

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
