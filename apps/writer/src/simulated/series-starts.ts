/** Where each series of the simulated history starts or continues. */
import { DAY_MS, INTRADAY_DEPTH_DAYS, type Interval } from "@assay/contract";
import type { SeriesSource } from "@assay/db";
import { bucketStart, type DailySymbol } from "@assay/pricing";

const FIRST_DAY_MS = Date.UTC(1996, 0, 1);

/** The start of the first bar to build, epoch milliseconds. */
export type SeriesStarts = (symbol: DailySymbol, interval: Interval) => number;

/**
 * A series continues from its newest stored bar, which may have been forming, so that bar is built again. However short a new
 * store's history is, a long downtime leaves no gap within the depth callers can read.
 * @param stored the stored series
 * @param historyDays days of intraday bars an empty store starts with
 */
export const seriesStarts = (
  stored: readonly Pick<SeriesSource, "symbol" | "interval" | "latestStartMs">[],
  nowMs: number,
  historyDays: number,
): SeriesStarts => {
  const newest = new Map(stored.map(({ symbol, interval, latestStartMs }) => [`${symbol} ${interval}`, latestStartMs]));
  const dayBefore = (days: number): number => bucketStart(nowMs - days * DAY_MS, "1d");
  return (symbol, interval) => {
    const newestMs = newest.get(`${symbol} ${interval}`);
    if (interval === "1d") return newestMs ?? FIRST_DAY_MS;
    return newestMs === undefined ? dayBefore(historyDays) : Math.max(newestMs, dayBefore(INTRADAY_DEPTH_DAYS));
  };
};
