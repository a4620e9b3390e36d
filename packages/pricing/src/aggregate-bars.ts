/** Coarser bars from finer ones: exact, in one pass, in order of time. */
import { type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import { barEnd, bucketStart } from "./bars.ts";
import { addDecimalText, compareDecimalText } from "./scaled.ts";
import type { BarRow } from "./spot-price.ts";

/** Whole numbers up to this many digits, and sums of a million of them, are exact as JavaScript numbers. */
const SAFE_DIGITS = 9;

/** A running sum of volumes, exact: short whole numbers as such, anything else as scaled integers. */
class VolumeSum {
  #whole = 0;
  #other: DecimalText | null = null;
  #any = false;

  add(volume: DecimalText | null): void {
    if (volume === null) return;
    this.#any = true;
    if (volume.length <= SAFE_DIGITS && volume.indexOf(".") < 0 && this.#whole < 1e15) this.#whole += Number(volume);
    else this.#other = addDecimalText(this.#other ?? "0", volume);
  }

  /** The sum; null when no row stated a volume. */
  total(): DecimalText | null {
    if (!this.#any) return null;
    return this.#other === null ? String(this.#whole) : addDecimalText(this.#other, String(this.#whole));
  }
}

/** The bar that is being gathered. */
interface Group {
  readonly first: BarRow;
  readonly startMs: number;
  readonly endMs: number;
  readonly volume: VolumeSum;
  high: DecimalText;
  low: DecimalText;
  last: BarRow;
}

const begin = (first: BarRow, interval: Interval): Group => {
  const startMs = bucketStart(first.barStartMs, interval);
  const volume = new VolumeSum();
  volume.add(first.volume);
  return { first, startMs, endMs: startMs + INTERVAL_MS[interval], volume, high: first.high, low: first.low, last: first };
};

const finish = (group: Group, interval: Interval, isClosed: boolean): BarRow => ({
  symbol: group.first.symbol,
  interval,
  barStartMs: group.startMs,
  open: group.first.open,
  high: group.high,
  low: group.low,
  close: group.last.close,
  volume: group.volume.total(),
  isClosed,
  sourceId: group.first.sourceId,
});

/**
 * Groups bars of one series into bars of a coarser interval, one by one as their rows come in.
 *
 * Open is the first row's, close the last row's, high and low the extremes, volume the exact sum; a group holds the rows
 * that there are, an interval without rows has no bar. A group is closed when a later one follows, when its last row is
 * closed and ends where it ends, or when `nowMs` has reached its end.
 * @param rows oldest first, of one symbol and of one interval that divides the coarser one
 * @param interval the coarser interval
 * @param nowMs now; without it only the rows themselves close a group
 * @yields bars, oldest first
 * @throws RangeError when rows are not in order of time, or a row is longer than the interval
 */
export function* aggregatedBars(rows: Iterable<BarRow>, interval: Interval, nowMs?: number): Generator<BarRow> {
  let group: Group | null = null;
  for (const row of rows) {
    if (INTERVAL_MS[row.interval] > INTERVAL_MS[interval]) throw new RangeError(`${interval} cannot be made of ${row.interval}`);
    if (group && row.barStartMs <= group.last.barStartMs) throw new RangeError(`bars out of order at ${row.barStartMs}`);
    if (group && row.barStartMs < group.endMs) {
      if (compareDecimalText(row.high, group.high) > 0) group.high = row.high;
      if (compareDecimalText(row.low, group.low) < 0) group.low = row.low;
      group.volume.add(row.volume);
      group.last = row;
      continue;
    }
    if (group) yield finish(group, interval, true);
    group = begin(row, interval);
  }
  if (!group) return;
  const complete = group.last.isClosed && barEnd(group.last) >= group.endMs;
  yield finish(group, interval, complete || (nowMs !== undefined && nowMs >= group.endMs));
}

/**
 * `aggregatedBars`, gathered.
 * @returns bars, oldest first
 * @see aggregatedBars
 */
export const aggregateBars = (rows: Iterable<BarRow>, interval: Interval, nowMs?: number): BarRow[] => [
  ...aggregatedBars(rows, interval, nowMs),
];
