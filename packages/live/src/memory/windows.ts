/** Windows of rate-limiter-flexible in this process, bounded in number, and how a window is read. */
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { LimitReading } from "../ports.ts";

/** The library counts; how much is allowed is compared here, so that one window serves every limit. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** A window keeps about half a kilobyte and a timer; beyond this many the oldest are forgotten. */
const MAX_WINDOWS = 100_000;

/** A count is not taken back this close to the window's end, lest it fall into the next window. */
const SETTLED_MS = 50;

/**
 * The length of a window as the library takes it.
 * @throws RangeError unless it is a whole number of seconds
 */
export const windowSeconds = (windowMs: number): number => {
  const seconds = windowMs / 1000;
  if (!Number.isInteger(seconds) || seconds < 1) throw new RangeError(`a window of ${windowMs} ms is not whole seconds`);
  return seconds;
};

/** Windows of the library behind one bounded set of keys; it also insures the windows kept elsewhere. */
export class BoundedWindows extends RateLimiterMemory {
  readonly #maxWindows: number;
  readonly #keys = new Set<string | number>();
  /** Goes along as keys are forgotten: beginning anew each time would step over all that were deleted before. */
  readonly #oldest = this.#keys.values();

  constructor(maxWindows: number = MAX_WINDOWS) {
    super({ points: UNLIMITED, duration: 60, keyPrefix: "" });
    this.#maxWindows = maxWindows;
  }

  override consume(key: string | number, points?: number, options?: Record<string, unknown>): Promise<RateLimiterRes> {
    const counted = super.consume(key, points, options);
    return counted.then((window) => {
      if (window.isFirstInDuration) this.#remember(key);
      return window;
    });
  }

  #remember(key: string | number): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#maxWindows) return;
    const oldest = this.#oldest.next();
    if (oldest.done) return;
    this.#keys.delete(oldest.value);
    void this.delete(oldest.value);
  }
}

/**
 * Reads a count the library has made, and takes it back when it is above the limit.
 * @param windows where the count was made
 */
export const settleCount = (
  windows: BoundedWindows,
  key: string,
  window: RateLimiterRes,
  limit: number,
  options: { readonly customDuration: number },
): LimitReading => {
  const allowed = window.consumedPoints <= limit;
  if (!allowed && window.msBeforeNext > SETTLED_MS) void windows.reward(key, 1, options);
  return { allowed, limit, remaining: Math.max(0, limit - window.consumedPoints), resetInMs: window.msBeforeNext };
};

/**
 * Reads a window without counting.
 * @param window null when nobody has used it yet
 */
export const readWindow = (window: RateLimiterRes | null, limit: number, windowMs: number): LimitReading => {
  const isOpen = window !== null && window.msBeforeNext > 0;
  const remaining = Math.max(0, limit - (isOpen ? window.consumedPoints : 0));
  return { allowed: remaining > 0, limit, remaining, resetInMs: isOpen ? window.msBeforeNext : windowMs };
};
