/** A process from start to end: one line for a start that fails, an orderly end when it is told to stop. */

/** The longest an end may take; after it the process leaves with what it has. */
const END_WITHIN_MS = 9_000;
/** Signals this close to the first are the same one. */
const ECHO_MS = 1_000;

/** What a process is made of: parts that end in the reverse of the order they were started in. */
export class Lifecycle {
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> }[] = [];
  readonly #onFault: (error: unknown, message: string) => void;

  constructor(onFault: (error: unknown, message: string) => void) {
    this.#onFault = onFault;
  }

  /** Notes how a part ends. */
  add(name: string, close: () => Promise<void>): void {
    this.#parts.unshift({ name, close });
  }

  /** Ends every part, whatever becomes of the others. */
  async close(): Promise<boolean> {
    let clean = true;
    for (const { name, close } of this.#parts.splice(0)) {
      try {
        await close();
      } catch (error) {
        clean = false;
        this.#onFault(error, `${name} did not end cleanly`);
      }
    }
    return clean;
  }

  /**
   * Ends the process on SIGTERM or SIGINT: 0 when every part ended cleanly in time. Another signal later on ends it at once; one
   * right behind the first is its echo, as npm passes on what the terminal has told the whole group already.
   */
  endOnSignals(): void {
    let endingSinceMs: number | null = null;
    const end = (signal: NodeJS.Signals): void => {
      if (endingSinceMs !== null) {
        if (performance.now() - endingSinceMs > ECHO_MS) process.exit(1);
        return;
      }
      endingSinceMs = performance.now();
      const watchdog = setTimeout(() => {
        this.#onFault(new Error(`not ended within ${END_WITHIN_MS} ms of ${signal}`), "the process leaves as it is");
        process.exit(1);
      }, END_WITHIN_MS);
      watchdog.unref();
      this.close().then((clean) => process.exit(clean ? 0 : 1));
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
  }
}
