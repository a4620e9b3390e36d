/** How long readings stay fresh. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A central bank's table outlives a long weekend. */
export const REFERENCE_FRESH_MS = 5 * 24 * HOUR_MS;

/** The council's rate is one a business day. */
export const COUNCIL_FRESH_MS = 36 * HOUR_MS;

/** A shop's price stands until it sets another, over a weekend, too. */
export const SHOP_FRESH_MS = 3 * 24 * HOUR_MS;

/** Three times the interval, at least a minute. */
export const freshFor = (intervalMs: number): number => Math.max(3 * intervalMs, MINUTE_MS);
