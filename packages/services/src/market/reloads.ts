/** Reloads what was missed, retrying until the store answers, since no event announces it again. */
import type { Time } from "@assay/ports";

/** How long to wait after a failed load. */
const RETRY_MS = 1_000;

type Work = () => Promise<void>;

/** Named tasks: started at once, and run once more when requested while running. */
export class Reloads {
  readonly #running = new Set<string>();
  /** What to run after the current task. */
  readonly #again = new Map<string, Work>();
  readonly #ending = new AbortController();
  readonly #clock: Pick<Time, "sleep">;
  readonly #onFault: (error: unknown, name: string) => void;

  constructor(clock: Pick<Time, "sleep">, onFault: (error: unknown, name: string) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** Runs a task until it succeeds. */
  ask(name: string, work: Work): void {
    if (this.#running.has(name)) this.#again.set(name, work);
    else void this.#run(name, work);
  }

  /** Cancels pending tasks. */
  stop(): void {
    this.#ending.abort();
  }

  async #run(name: string, work: Work): Promise<void> {
    this.#running.add(name);
    const hasFailed = await work().then(
      () => false,
      (error: unknown) => {
        this.#onFault(error, name);
        return true;
      },
    );
    const { signal } = this.#ending;
    if (hasFailed) await this.#clock.sleep(RETRY_MS, signal);
    if (signal.aborted) return;
    this.#running.delete(name);
    const next = this.#again.get(name) ?? (hasFailed ? work : undefined);
    this.#again.delete(name);
    if (next) void this.#run(name, next);
  }
}
