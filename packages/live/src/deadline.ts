/** Promises with a deadline. */

/** The awaited result did not arrive in time. It may still arrive later. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Waits for a promise until a deadline. An answer that is already in the socket buffer still counts, because a process that was
 * busy has not been kept waiting.
 * @throws DeadlineError when the time is up
 */
export const withDeadline = <T>(promise: Promise<T>, deadlineMs: number): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers run before sockets are read; an immediate runs after.
      setImmediate(() => reject(new DeadlineError(`no answer within ${deadlineMs} ms`)));
    }, deadlineMs);
    const settled = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    promise.then(
      (value) => settled(() => resolve(value)),
      (error: unknown) => settled(() => reject(error)),
    );
  });

/** Pauses, unless aborted first. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
