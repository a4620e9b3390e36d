/** Whether and when a failed attempt is retried. */
import { ApiError, ConnectionError } from "./errors.ts";

/** The longest wait accepted, in milliseconds; when asked to wait longer, the call fails at once. */
export const LONGEST_WAIT_MS = 60_000;
/** The maximum added to the requested wait: clients refused at the same time must not all return at once. */
const ASKED_JITTER = 0.1;
const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 8_000;

/**
 * Whether another attempt may succeed. Every request may be sent twice: GET and DELETE are idempotent, POST has an
 * Idempotency-Key.
 * @param error the attempt's error
 * @returns true for no answer, 408, 429 except an exhausted quota, and 5xx; `X-Should-Retry` overrides it
 */
export const isWorthRetrying = (error: unknown): boolean => {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError) || error.code === "quota_exceeded") return false;
  const told = error.headers.get("x-should-retry");
  if (told === "true" || told === "false") return told === "true";
  return error.status === 408 || error.status === 429 || error.status >= 500;
};

/**
 * How long to wait before the next attempt: what the service asks for plus up to a tenth, else exponential backoff with full
 * jitter.
 * @param error the attempt's error
 * @param failures how many attempts have failed
 * @param random a number from 0 up to 1
 * @returns milliseconds; null when the wait would be too long
 */
export const waitBefore = (error: unknown, failures: number, random: number): number | null => {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
  if (asked !== null)
    return asked * 1000 <= LONGEST_WAIT_MS ? asked * 1000 + Math.floor(asked * 1000 * ASKED_JITTER * random) : null;
  return random * Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** (failures - 1));
};
