/** The bars of every coarser interval that the bars of a UTC day come to. */
import { INTERVALS, type Interval } from "@assay/contract";
import { aggregateBars, type BarRow } from "@assay/pricing";

/** The intervals longer than one, shortest first. */
export const coarserIntervals = (interval: Interval): readonly Interval[] => INTERVALS.slice(INTERVALS.indexOf(interval) + 1);

/**
 * Builds coarser bars. Every interval divides the day, so a day is built by itself; and each interval is made of the one
 * before it, which comes to the same figures as making all of the finest.
 * @param rows one UTC day's bars of one interval, oldest first, with their volumes
 * @param nowMs now; a bar is closed once its time is over, but for one whose last row is still forming
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
