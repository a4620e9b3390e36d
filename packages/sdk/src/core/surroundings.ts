/** The clock and the source of randomness of a client. */

/** Clock and randomness. */
export interface Surroundings {
  /** Now, epoch milliseconds. */
  readonly nowMs: () => number;
  /** A random number from 0 to 1, exclusive. */
  readonly random: () => number;
  /** Waits; rejects with the signal's reason as soon as it aborts. */
  readonly sleep: (waitMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A new random id. */
  readonly newId: () => string;
}

const sleep: Surroundings["sleep"] = (waitMs, signal) =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, waitMs);
    signal?.addEventListener("abort", abort, { once: true });
  });

/** The real implementation. */
export const realSurroundings: Surroundings = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep,
  newId: () => crypto.randomUUID(),
};
