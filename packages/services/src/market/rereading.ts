/** Reloads what was missed, retrying until the store answers, since no event announces it again. */

/** How long to wait after a failed load. */
const RETRY_MS = 1_000;

type Work = () => Promise<void>;

/** Named tasks: started at once, and run once more when requested while running. */
export class Rereading {
  readonly #underWay = new Set<string>();
  /** What to run after the current task. */
  readonly #owed = new Map<string, Work>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #onFault: (error: unknown, name: string) => void;
  #isOver = false;

  constructor(onFault: (error: unknown, name: string) => void) {
    this.#onFault = onFault;
  }

  /** Runs a task until it succeeds. */
  ask(name: string, work: Work): void {
    if (this.#underWay.has(name)) this.#owed.set(name, work);
    else void this.#run(name, work);
  }

  /** Cancels pending tasks. */
  stop(): void {
    this.#isOver = true;
    for (const timer of this.#waiting) clearTimeout(timer);
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
    if (hasFailed) await this.#pause();
    if (this.#isOver) return;
    this.#underWay.delete(name);
    const next = this.#owed.get(name) ?? (hasFailed ? work : undefined);
    this.#owed.delete(name);
    if (next) void this.#run(name, next);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(timer);
        resolve();
      }, RETRY_MS).unref();
      this.#waiting.add(timer);
    });
  }
}
