/** Computes surfaces on a separate thread, which is replaced when it fails or hangs. */
import { Worker } from "node:worker_threads";
import type { HorizonSurface, SurfaceInput } from "@assay/pricing";
import type { SurfaceComputer } from "./surface-computer.ts";

/** The default time limit: many times what the largest chain takes on a busy machine. */
const LONGEST_MS = 60_000;
/** The heap of the thread, in MiB: a chain of ten thousand quotes needs a tenth of it. */
const MAX_HEAP_MB = 256;

/** Options of a computer; both have defaults. */
export interface ThreadOptions {
  /** The compiled module of the thread. */
  readonly entry?: URL;
  /** The time limit of a surface. */
  readonly longestMs?: number;
}

/** The computation in progress. */
interface UnderWay {
  readonly done: (surfaces: HorizonSurface[]) => void;
  readonly failed: (error: Error) => void;
}

/** Creates a computer whose thread starts with its first surface. */
export class ThreadedComputer implements SurfaceComputer {
  readonly #entry: URL;
  readonly #longestMs: number;
  #thread: Worker | null = null;
  #underWay: UnderWay | null = null;

  constructor({ entry = new URL("./surface-worker.js", import.meta.url), longestMs = LONGEST_MS }: ThreadOptions = {}) {
    this.#entry = entry;
    this.#longestMs = longestMs;
  }

  async compute(input: SurfaceInput): Promise<HorizonSurface[]> {
    if (this.#underWay) throw new Error("a surface is being computed already");
    let tooLong: NodeJS.Timeout | undefined;
    try {
      return await new Promise<HorizonSurface[]>((done, failed) => {
        this.#underWay = { done, failed };
        const late = () => failed(new Error(`the surface took longer than ${this.#longestMs} ms`));
        tooLong = setTimeout(late, this.#longestMs);
        this.#thread ??= this.#open();
        this.#thread.postMessage(input);
      });
    } catch (error) {
      await this.#end();
      throw error;
    } finally {
      clearTimeout(tooLong);
      this.#underWay = null;
    }
  }

  #open(): Worker {
    const thread = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    thread.unref();
    const gone = (error: Error): void => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#underWay?.failed(error);
    };
    thread.on("message", (surfaces: HorizonSurface[]) => this.#underWay?.done(surfaces));
    thread.on("error", gone);
    thread.on("exit", (code) => gone(new Error(`the thread that computes surfaces ended with ${code}`)));
    return thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  async close(): Promise<void> {
    this.#underWay?.failed(new Error("the computer was closed"));
    await this.#end();
  }
}
