/** Which bars of the simulated history are still to be built, and which of them before the service is ready. */
import { BAR_SYMBOLS, DAY_MS, INTERVALS, INTRADAY_DEPTH_DAYS, MINUTE_MS } from "@assay/contract";
import type { SeriesSource } from "@assay/db";
import { barEnd, bucketStart, DAILY_SYMBOLS, type HistoryGap, joinGaps } from "@assay/pricing";

/** The first day of the simulated history. */
export const FIRST_DAY_MS = Date.UTC(1996, 0, 1);
const INTRADAY = INTERVALS.filter((interval) => interval !== "1d");

/** The days of intraday bars a service is ready with, besides the newest. */
const READY_DAYS = 1;

/** A stored series, as far as the plan depends on it. */
export type StoredSeries = Pick<SeriesSource, "symbol" | "interval" | "latestStartMs">;

/** What is to be built. */
export interface DueBars {
  /** Built before the service is ready: the daily bars, and those below a day of the newest days. */
  readonly newest: readonly HistoryGap[];
  /** Built while it runs. */
  readonly older: readonly HistoryGap[];
}

/**
 * A series continues from its newest stored bars, which may have been forming, so that those are built again. However short a new
 * store's history is, a long downtime leaves no gap within the depth callers can read.
 * @param stored the stored series
 * @param gaps what an earlier run left to be filled in
 * @param historyDays days of intraday bars an empty store starts with, besides the newest
 * @param endMs bars that start earlier are built
 * @param tradedMs the newest instant of trading: the newest days end there
 */
export const dueBars = (
  stored: readonly StoredSeries[],
  gaps: readonly HistoryGap[],
  { historyDays, endMs, tradedMs }: { readonly historyDays: number; readonly endMs: number; readonly tradedMs: number },
): DueBars => {
  const newest = new Map(stored.map((each) => [`${each.symbol} ${each.interval}`, each.latestStartMs]));
  const dayBefore = (ms: number, days: number): number => bucketStart(ms - days * DAY_MS, "1d");
  /** The last minute of the newest bar that ends first: the newest bars of all intervals hold it, and are built again. */
  const storedUntilMs = (symbol: string): number => {
    const ends = INTRADAY.map((interval) => {
      const barStartMs = newest.get(`${symbol} ${interval}`);
      return barStartMs === undefined ? dayBefore(tradedMs, historyDays) : barEnd({ barStartMs, interval }) - MINUTE_MS;
    });
    return Math.min(...ends);
  };
  const reachMs = dayBefore(endMs, INTRADAY_DEPTH_DAYS);
  const due = BAR_SYMBOLS.flatMap((symbol) => {
    const left = gaps.filter((gap) => gap.symbol === symbol && gap.bars === "intraday");
    const all = joinGaps([...left, { symbol, bars: "intraday", fromMs: storedUntilMs(symbol), untilMs: endMs }]);
    return all.map((gap) => ({ ...gap, fromMs: Math.max(gap.fromMs, reachMs) }));
  });
  const daily = DAILY_SYMBOLS.map((symbol): HistoryGap => {
    const fromMs = newest.get(`${symbol} 1d`) ?? FIRST_DAY_MS;
    return { symbol, bars: "daily", fromMs, untilMs: endMs };
  });
  const readyMs = dayBefore(tradedMs, READY_DAYS);
  return {
    newest: [...daily, ...due.flatMap((gap) => joinGaps([{ ...gap, fromMs: Math.max(gap.fromMs, readyMs) }]))],
    older: due.flatMap((gap) => joinGaps([{ ...gap, untilMs: Math.min(gap.untilMs, readyMs) }])),
  };
};
