/** How series are told apart in memory. */
import type { Interval } from "@assay/contract";

/** A key for maps by symbol and interval. */
export const seriesName = (symbol: string, interval: Interval): string => `${symbol} ${interval}`;
