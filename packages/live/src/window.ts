/** A rate-limiter-flexible window: its length, and how to read it. */
import type { RateLimiterRes } from "rate-limiter-flexible";
import type { LimitReading } from "./ports.ts";

/**
 * The length of a window in the library's unit.
 * @throws RangeError unless it is a whole number of seconds
 */
export const windowSeconds = (windowMs: number): number => {
  const seconds = windowMs / 1000;
  if (!Number.isInteger(seconds) || seconds < 1) throw new RangeError(`a window of ${windowMs} ms is not whole seconds`);
  return seconds;
};

/**
 * Reads a window without counting.
 * @param window null when it has not been used
 */
export const readWindow = (window: RateLimiterRes | null, limit: number, windowMs: number): LimitReading => {
  const isOpen = window !== null && window.msBeforeNext > 0;
  const remaining = Math.max(0, limit - (isOpen ? window.consumedPoints : 0));
  return { allowed: remaining > 0, limit, remaining, resetInMs: isOpen ? window.msBeforeNext : windowMs };
};
