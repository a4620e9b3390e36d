/** Waiting with an end. */

/** What was waited for did not come in time. It may come yet. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Waits for a promise, but not longer than a deadline. An answer that lies in the socket already still counts:
 * a process that was busy for a while has not been kept waiting.
 * @throws DeadlineError when the time is up
 */
export const withDeadline = <T>(promise: Promise<T>, deadlineMs: number): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      // Timers run before sockets are read; an immediate runs after.
      setImmediate(() => reject(new DeadlineError(`no answer within ${deadlineMs} ms`)));
    }, deadlineMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Pauses, unless it is called off first. */
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
