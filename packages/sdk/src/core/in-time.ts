/** Work that has so long, and that a caller may end. */
import { RequestAbortedError, RequestTimeoutError } from "./errors.ts";

/** Beyond this a timer fires at once instead of never. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** What bounds a piece of work. */
export interface Bounds {
  /** How long it may take, in milliseconds; Infinity for as long as it takes. */
  readonly timeoutMs: number;
  /** What it is that took too long, as in "No whole answer". */
  readonly missing: string;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** What is under way, for errors, such as method and path. */
  readonly what: string;
}

/**
 * Does work within its bounds.
 * @param work is told by its controller when nobody waits for it any more
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
  // Raced as well as signalled: a stand-in for fetch, or a body it made, may not listen to signals.
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
    // Made here and not where it is noticed: only here does the stack lead to who waits.
    if (end === "time") throw new RequestTimeoutError(`${missing} within ${timeoutMs} ms: ${what}`);
    if (end === "signal") throw new RequestAbortedError(`Aborted: ${what}`, { cause: signal?.reason });
    throw fault;
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) signal?.removeEventListener("abort", abort);
  }
};
