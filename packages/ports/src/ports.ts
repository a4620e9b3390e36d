/** Time and randomness, as they are passed to all code that needs them. */

/** Reads the time, epoch milliseconds. */
export type Clock = () => number;

/** Cancels a timer; does nothing when it has ended. */
export type Cancel = () => void;

export interface Time extends Clock {
  /** Milliseconds since some start. Unlike the clock, nothing sets it. */
  readonly elapsed: () => number;
  /** Runs once after a time. */
  readonly after: (ms: number, run: () => void) => Cancel;
  /** Runs again and again. Does not keep the process alive. */
  readonly every: (ms: number, run: () => void) => Cancel;
  /** Resolves after a time, or as soon as the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Lets whatever else is due run first, sockets and timers too. */
  readonly turn: () => Promise<void>;
}

/** Randomness. A call of it gives a number from 0 up to 1, for jitter. */
export interface Random {
  (): number;
  /** An integer from 0 up to a bound. Like the others below, one that nobody can guess. */
  readonly int: (bound: number) => number;
  readonly bytes: (count: number) => Buffer;
  readonly uuid: () => string;
}

/** The timers of one time, with another clock. */
export const withClock = (time: Time, clock: Clock): Time => Object.assign(() => clock(), { ...time });

/** A wait, made of a timer. */
export const sleepBy =
  (after: Time["after"]): Time["sleep"] =>
  (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const cancel = after(ms, end);
      signal?.addEventListener("abort", end, { once: true });
    });

/** A timer that runs again and again, made of one that runs once. */
export const everyBy =
  (after: Time["after"]): Time["every"] =>
  (ms, run) => {
    const again = (): void => {
      cancel = after(ms, again);
      run();
    };
    let cancel = after(ms, again);
    return () => cancel();
  };
