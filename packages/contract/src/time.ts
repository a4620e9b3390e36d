/** Units of time, in milliseconds. */

/** A second. */
export const SECOND_MS = 1_000;
/** A minute. */
export const MINUTE_MS = 60 * SECOND_MS;
/** An hour. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of 24 hours, as every day in UTC is. */
export const DAY_MS = 24 * HOUR_MS;
