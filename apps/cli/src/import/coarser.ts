/** Aggregates the bars of a UTC day into every coarser interval. */
import { INTERVALS, type Interval } from "@assay/contract";
import { aggregateBars, type BarRow } from "@assay/pricing";

/** The intervals longer than a given one, shortest first. */
export const coarserIntervals = (interval: Interval): readonly Interval[] => INTERVALS.slice(INTERVALS.indexOf(interval) + 1);

/**
 * Builds coarser bars. Every interval divides the day, so each day is independent; each interval is built from the previous
 * one, with the same result as building all from the finest.
 * @param rows one UTC day's bars of one interval, oldest first, with their volumes
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
