/** Whether a failed try is repeated, and after which wait. */
import { ApiError, ConnectionError } from "./errors.ts";

/** The longest wait the service is granted, in milliseconds; asked to wait longer, the call fails at once. */
export const LONGEST_WAIT_MS = 60_000;
/** Put on top of what is asked for, at most: clients refused at the same moment must not come back at one. */
const ASKED_JITTER = 0.1;
const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 8_000;

/**
 * Whether another try may succeed. Every request may be sent twice: GET and DELETE by their nature, POST by its Idempotency-Key.
 * @param error what the try failed with
 * @returns true for no answer, 408, 429 but a used-up quota, and 5xx; `X-Should-Retry` overrules
 */
export const isWorthRetrying = (error: unknown): boolean => {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError) || error.code === "quota_exceeded") return false;
  const told = error.headers.get("x-should-retry");
  if (told === "true" || told === "false") return told === "true";
  return error.status === 408 || error.status === 429 || error.status >= 500;
};

/**
 * How long to wait before the next try: what the service asks for and up to a tenth more, else exponential backoff with full jitter.
 * @param error what the try failed with
 * @param failures how many tries have failed
 * @param random a number from 0 up to 1
 * @returns milliseconds; null when the wait would be too long to be worth it
 */
export const waitBefore = (error: unknown, failures: number, random: number): number | null => {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
  if (asked !== null)
    return asked * 1000 <= LONGEST_WAIT_MS ? asked * 1000 + Math.floor(asked * 1000 * ASKED_JITTER * random) : null;
  return random * Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** (failures - 1));
};
