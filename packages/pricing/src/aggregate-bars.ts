/** Coarser bars from finer ones: exact, in one pass, in order of time. */
import type { Interval } from "@assay/contract";
import { addVolume, barEnd, bucketStart } from "./bars.ts";
import { compareDecimalText } from "./scaled.ts";
import type { BarRow } from "./spot-price.ts";

type Growing = { -readonly [K in keyof BarRow]: BarRow[K] };

/**
 * Groups bars of one series into bars of a coarser interval, one by one as their rows come in.
 *
 * Open is the first row's, close the last row's, high and low the extremes, volume the exact sum; a group holds the rows
 * that there are. A group is closed when a later one follows, when its last row is closed and ends where it ends, or when
 * `nowMs` has reached its end.
 * @param rows oldest first, of one symbol and one interval that divides the coarser one
 * @param interval the coarser interval
 * @param nowMs now; without it only the rows themselves close a group
 * @yields bars, oldest first
 * @throws RangeError when rows are not in order of time
 */
export function* aggregatedBars(rows: Iterable<BarRow>, interval: Interval, nowMs?: number): Generator<BarRow> {
  let growing: Growing | null = null;
  let previousStartMs = Number.NEGATIVE_INFINITY;
  let last: BarRow | null = null;
  for (const row of rows) {
    if (row.barStartMs <= previousStartMs) throw new RangeError(`bars out of order at ${row.barStartMs}`);
    previousStartMs = row.barStartMs;
    last = row;
    const start = bucketStart(row.barStartMs, interval);
    if (growing && growing.barStartMs === start) {
      if (compareDecimalText(row.high, growing.high) > 0) growing.high = row.high;
      if (compareDecimalText(row.low, growing.low) < 0) growing.low = row.low;
      growing.close = row.close;
      growing.volume = addVolume(growing.volume, row.volume);
      continue;
    }
    if (growing) {
      growing.isClosed = true;
      yield growing;
    }
    growing = { ...row, interval, barStartMs: start, isClosed: false };
  }
  if (!growing || !last) return;
  const end = barEnd(growing);
  growing.isClosed = (last.isClosed && barEnd(last) >= end) || (nowMs !== undefined && nowMs >= end);
  yield growing;
}

/**
 * `aggregatedBars`, gathered.
 * @returns bars, oldest first
 * @see aggregatedBars
 */
export const aggregateBars = (rows: Iterable<BarRow>, interval: Interval, nowMs?: number): BarRow[] => [
  ...aggregatedBars(rows, interval, nowMs),
];
