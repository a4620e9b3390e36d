/** Checks options of clients, calls and streams: their names, figures and signals. */
import type { RequestOptions } from "./options.ts";

/**
 * Checks a time limit.
 * @param timeoutMs milliseconds; Infinity for none
 * @throws RangeError when it is not above 0
 */
export const checkTimeout = (timeoutMs: number): number => {
  if (!(timeoutMs > 0)) throw new RangeError("timeoutMs must be above 0 milliseconds");
  return timeoutMs;
};

/**
 * Checks a number of things.
 * @param name the option's
 * @param value may be Infinity
 * @param least the lowest that is valid
 * @throws RangeError when it is not a whole number from there up
 */
export const checkCount = (name: string, value: number, least: number): number => {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= least)) return value;
  throw new RangeError(`${name} must be a whole number, ${least} or more`);
};

/**
 * Checks a maximum age of answers.
 * @param maxAgeMs milliseconds
 * @throws RangeError when it is below 0
 */
export const checkMaxAge = (maxAgeMs: number): number => {
  if (!(maxAgeMs >= 0)) throw new RangeError("maxAgeMs must be 0 milliseconds or more");
  return maxAgeMs;
};

/** Every option of a call; `onProgress` is one of downloads. */
const CALL_OPTIONS: Readonly<Record<keyof RequestOptions | "onProgress", true>> = {
  signal: true,
  timeoutMs: true,
  maxRetries: true,
  headers: true,
  idempotencyKey: true,
  maxAgeMs: true,
  extraQuery: true,
  onProgress: true,
};

/**
 * Refuses options that there are not: ignored, a misspelled key would be a delayed answer, a misspelled address one of another
 * service, a misspelled time limit none.
 * @throws TypeError naming the first
 */
export const checkOptions = (options: object, known: object): void => {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name)) throw new TypeError(`${name} is not an option; use ${Object.keys(known).join(", ")}`);
};

/**
 * Checks a signal; its controller is passed easily in its place.
 * @throws TypeError when it is none
 */
export const checkSignal = (signal: AbortSignal | undefined): void => {
  if (signal && typeof signal.addEventListener !== "function")
    throw new TypeError("signal must be an AbortSignal, such as controller.signal");
};

/**
 * Checks the options of a call, apart from their figures.
 * @throws TypeError naming the option
 */
export const checkCall = (options: RequestOptions): void => {
  checkOptions(options, CALL_OPTIONS);
  checkSignal(options.signal);
};
