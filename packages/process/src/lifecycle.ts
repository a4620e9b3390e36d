/** A process from start to shutdown: one line when the start fails, an orderly shutdown on a signal. */
import { inspect } from "node:util";

/** The longest a shutdown may take; after it the process exits anyway. */
const END_WITHIN_MS = 9_000;
/** Signals this soon after the first count as the same one. */
const ECHO_MS = 1_000;

/** The parts of a process, closed in the reverse of the order they were started in. */
export class Lifecycle {
  readonly #parts: { readonly name: string; readonly close: () => Promise<void> }[] = [];
  readonly #onFault: (error: unknown, message: string) => void;
  readonly #onSignal: (signal: NodeJS.Signals) => void;
  #endingSinceMs: number | null = null;
  #isStuck = false;

  /** @param onSignal called with the signal that ends the process, before anything is closed */
  constructor(onFault: (error: unknown, message: string) => void, onSignal: (signal: NodeJS.Signals) => void = () => undefined) {
    this.#onFault = onFault;
    this.#onSignal = onSignal;
  }

  get isEnding(): boolean {
    return this.#endingSinceMs !== null;
  }

  /** Whether a part is in a state that only a restart leaves. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  add(name: string, close: () => Promise<void>): void {
    this.#parts.unshift({ name, close });
  }

  /** Closes every part, even when others fail to close. */
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

  /** Shuts the process down; the exit code is 1 when a part did not close cleanly or in time. */
  #end(why: string, codeOfCleanEnd: number): void {
    this.#endingSinceMs = performance.now();
    const watchdog = setTimeout(() => {
      this.#onFault(new Error(`did not end within ${END_WITHIN_MS} ms of ${why}`), "shutdown timed out; exiting");
      process.exit(1);
    }, END_WITHIN_MS);
    watchdog.unref();
    this.close().then((clean) => {
      clearTimeout(watchdog);
      process.exit(clean ? codeOfCleanEnd : 1);
    });
  }

  /** Shuts the process down in the same order with exit 1, for an error it cannot continue after. */
  endFailed(): void {
    if (this.#endingSinceMs === null) this.#end("the fault", 1);
  }

  /** The same for a part that cannot go on and cannot end either; `/live` fails from now on, should this not end it. */
  endStuck(error: unknown): void {
    this.#isStuck = true;
    this.#onFault(error, "only a restart helps; exiting");
    this.endFailed();
  }

  /**
   * Shuts down on SIGTERM or SIGINT: exit 0 when every part closed cleanly in time. A later second signal exits at once; one
   * right after the first is an echo, since npm forwards a signal the terminal has already sent to the whole group.
   */
  endOnSignals(): void {
    const end = (signal: NodeJS.Signals): void => {
      if (this.#endingSinceMs === null) {
        this.#onSignal(signal);
        this.#end(signal, 0);
      } else if (performance.now() - this.#endingSinceMs > ECHO_MS) process.exit(1);
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
  }
}

/** Names of errors whose message is enough; others are bugs and keep their stack. */
const FORESEEN: ReadonlySet<string> = new Set([
  "SettingError",
  "AddressError",
  "FeedSettingError",
  "ReplayError",
  "StoreHeldError",
  "StoreTooNewError",
  "StoreUnavailableError",
  "KeyDeskError",
  "ImportError",
]);

/** Whether an error is one that the operator can fix, by its message alone. */
export const isForeseen = (error: Error): boolean => FORESEEN.has(error.name);

const lineOf = (error: unknown): string => {
  if (!(error instanceof Error)) return inspect(error);
  if (isForeseen(error)) return error.message;
  return error.stack ?? error.message;
};

/** Prints to stderr why the start failed, in one line when the operator can fix it, and exits with 1. */
export const endFailedStart = (error: unknown): never => {
  process.stderr.write(`${lineOf(error)}\n`);
  process.exit(1);
};
