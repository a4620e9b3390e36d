/** Runs work under a time limit and a caller's signal. */
import { RequestAbortedError, RequestTimeoutError } from "./errors.ts";

/** Above this a timer fires at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The limits of a piece of work. */
export interface Bounds {
  /** The time limit, in milliseconds; Infinity for none. */
  readonly timeoutMs: number;
  /** What timed out, as in "No whole answer". */
  readonly missing: string;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
  /** The work in progress, for errors, such as method and path. */
  readonly what: string;
}

/**
 * Runs work within its limits.
 * @param work receives a controller whose signal aborts when its result is no longer needed
 * @throws RequestTimeoutError, RequestAbortedError, or what the work throws
 */
export const inTime = async <T>(
  { timeoutMs, missing, signal, what }: Bounds,
  work: (controller: AbortController) => Promise<T>,
): Promise<T> => {
  if (signal?.aborted) throw new RequestAbortedError(`Aborted: ${what}`, { cause: signal.reason });
  const controller = new AbortController();
  let end: "time" | "signal" | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: (() => void) | undefined;
  // Raced as well as signalled: a custom fetch, or its body, may ignore signals.
  const ended = new Promise<never>((_, reject) => {
    const endBy = (which: "time" | "signal") => (): void => {
      end ??= which;
      reject(which);
      controller.abort();
    };
    if (timeoutMs <= LONGEST_TIMER_MS) timer = setTimeout(endBy("time"), timeoutMs);
    abort = endBy("signal");
    signal?.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([work(controller), ended]);
  } catch (fault) {
    // Created here and not where it is noticed: only here does the stack lead to the caller.
    if (end === "time") throw new RequestTimeoutError(`${missing} within ${timeoutMs} ms: ${what}`);
    if (end === "signal") throw new RequestAbortedError(`Aborted: ${what}`, { cause: signal?.reason });
    throw fault;
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener("abort", abort);
  }
};
