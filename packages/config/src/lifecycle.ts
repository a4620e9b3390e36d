/** A process from start to end: one line for a start that fails, an orderly end when it is told to stop. */

/** The longest an end may take; after it the process leaves with what it has. */
const END_WITHIN_MS = 9_000;
/** Signals this close to the first are the same one. */
const ECHO_MS = 1_000;

/** What a process is made of: parts that end in the reverse of the order they were started in. */
export class Lifecycle {
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> }[] = [];
  readonly #onFault: (error: unknown, message: string) => void;
  #endingSinceMs: number | null = null;

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

  /** Ends the process, whose exit code is 1 when a part did not end cleanly or in time. */
  #end(why: string, codeOfCleanEnd: number): void {
    this.#endingSinceMs = performance.now();
    const watchdog = setTimeout(() => {
      this.#onFault(new Error(`not ended within ${END_WITHIN_MS} ms of ${why}`), "the process leaves as it is");
      process.exit(1);
    }, END_WITHIN_MS);
    watchdog.unref();
    this.close().then((clean) => process.exit(clean ? codeOfCleanEnd : 1));
  }

  /** Ends the process in the same order with exit 1, for a fault that it cannot go on with. */
  endFailed(): void {
    if (this.#endingSinceMs === null) this.#end("the fault", 1);
  }

  /**
   * Ends the process on SIGTERM or SIGINT: 0 when every part ended cleanly in time. Another signal later on ends it at once; one
   * right behind the first is its echo, as npm passes on what the terminal has told the whole group already.
   */
  endOnSignals(): void {
    const end = (signal: NodeJS.Signals): void => {
      if (this.#endingSinceMs === null) this.#end(signal, 0);
      else if (performance.now() - this.#endingSinceMs > ECHO_MS) process.exit(1);
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
  }
}
