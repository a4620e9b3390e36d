/** Map keys for series. */
import type { Interval } from "@assay/contract";

/** A map key of symbol and interval. */
export const seriesName = (symbol: string, interval: Interval): string => `${symbol} ${interval}`;
