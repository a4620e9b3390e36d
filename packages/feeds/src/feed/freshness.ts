/** How long readings stay fresh. */
import { HOUR_MS, MINUTE_MS } from "@assay/contract";

/** A central bank's table stays fresh over a long weekend. */
export const REFERENCE_FRESH_MS = 5 * 24 * HOUR_MS;

/** The council's rate is published once per business day. */
export const COUNCIL_FRESH_MS = 36 * HOUR_MS;

/** A shop's price is valid until it changes, including over a weekend. */
export const SHOP_FRESH_MS = 3 * 24 * HOUR_MS;

/** Three times the interval, at least a minute. */
export const freshFor = (intervalMs: number): number => Math.max(3 * intervalMs, MINUTE_MS);
