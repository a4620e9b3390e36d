/** Reading anew what was missed: tried again until the store answers, since nobody tells of it a second time. */

/** How long to wait after a reading that failed. */
const RETRY_MS = 1_000;

type Work = () => Promise<void>;

/** Pieces of work by name: begun at once, and done once more when they are asked for while they are under way. */
export class Rereading {
  readonly #underWay = new Set<string>();
  /** What is to be done after what is under way. */
  readonly #owed = new Map<string, Work>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  readonly #onFault: (error: unknown, name: string) => void;
  #isOver = false;

  constructor(onFault: (error: unknown, name: string) => void) {
    this.#onFault = onFault;
  }

  /** Has a piece of work done, until it succeeds. */
  ask(name: string, work: Work): void {
    if (this.#underWay.has(name)) this.#owed.set(name, work);
    else void this.#run(name, work);
  }

  /** Gives up what is still owed. */
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
