/** Bars as a series stores them: the longer ones built from them, and spot without volume. */
import { INTERVALS, type Interval } from "@assay/contract";
import { aggregateBars, type BarRow } from "@assay/pricing";

/** From the first instant a file covers to the end of the last, exclusive. */
export interface Coverage {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How many bars of each interval are written. */
export type Written = ReadonlyMap<Interval, number>;

/** Whether a time range is entirely in the file. */
export const covers = (coverage: Coverage, startMs: number, lengthMs: number): boolean =>
  startMs >= coverage.fromMs && startMs + lengthMs <= coverage.untilMs;

/** The intervals longer than a given one, shortest first. */
export const coarserIntervals = (interval: Interval): readonly Interval[] => INTERVALS.slice(INTERVALS.indexOf(interval) + 1);

/**
 * Builds coarser bars. Every interval divides the day, so days are independent; each interval is built from the previous one,
 * with the same result as building all from the finest.
 * @param rows whole UTC days' bars of one interval, oldest first
 * @param nowMs now; a bar is closed once its time is over, unless its last row is still forming
 * @returns bars by interval, oldest first
 */
export const coarserBars = (rows: readonly BarRow[], nowMs: number): ReadonlyMap<Interval, readonly BarRow[]> => {
  const built = new Map<Interval, readonly BarRow[]>();
  const last = rows.at(-1);
  if (!last) return built;
  const closeByMs = last.isClosed ? nowMs : undefined;
  let finer = rows;
  for (const interval of coarserIntervals(last.interval)) {
    finer = aggregateBars(finer, interval, closeByMs);
    built.set(interval, finer);
  }
  return built;
};

/** Whether a series has no volume on the wire: spot is not traded in one place that could count it. */
export const isSpotSeries = (symbol: string): boolean => symbol.endsWith("-SPOT");

/** A bar as its series stores it: a broker's tick count is not a volume of spot. */
export const toStored = (bar: BarRow): BarRow =>
  bar.volume !== null && isSpotSeries(bar.symbol) ? { ...bar, volume: null } : bar;
