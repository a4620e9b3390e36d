/** Reloads what was missed, retrying until the store answers, since no event announces it again. */
import type { Time } from "@assay/ports";

/** How long to wait after a failed load. */
const RETRY_MS = 1_000;

type Work = () => Promise<void>;

/** Named tasks: started at once, and run once more when requested while running. */
export class Rereading {
  readonly #underWay = new Set<string>();
  /** What to run after the current task. */
  readonly #owed = new Map<string, Work>();
  readonly #ending = new AbortController();
  readonly #clock: Pick<Time, "sleep">;
  readonly #onFault: (error: unknown, name: string) => void;

  constructor(clock: Pick<Time, "sleep">, onFault: (error: unknown, name: string) => void) {
    this.#clock = clock;
    this.#onFault = onFault;
  }

  /** Runs a task until it succeeds. */
  ask(name: string, work: Work): void {
    if (this.#underWay.has(name)) this.#owed.set(name, work);
    else void this.#run(name, work);
  }

  /** Cancels pending tasks. */
  stop(): void {
    this.#ending.abort();
  }

  async #run(name: string, work: Work): Promise<void> {
    this.#underWay.add(name);
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
    this.#underWay.delete(name);
    const next = this.#owed.get(name) ?? (hasFailed ? work : undefined);
    this.#owed.delete(name);
    if (next) void this.#run(name, next);
  }
}
