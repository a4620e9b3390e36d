/** What a client takes from the world around it: time and chance. */

/** Time and chance. */
export interface Surroundings {
  /** Now, epoch milliseconds. */
  readonly nowMs: () => number;
  /** A number from 0 up to 1, 1 not included. */
  readonly random: () => number;
  /** Waits; rejects with the signal's reason as soon as the signal ends it. */
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

/** The real ones. */
export const realSurroundings: Surroundings = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep,
  newId: () => crypto.randomUUID(),
};
