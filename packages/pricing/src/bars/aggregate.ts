/** Aggregates finer bars into coarser ones: exact, in one pass, in time order. */
import { type DecimalText, INTERVAL_MS, type Interval } from "@assay/contract";
import { addDecimalText, compareDecimalText } from "../number/scaled.ts";
import { type BarRow, barEnd, bucketStart } from "./bar.ts";

/** Whole numbers up to this many digits, and sums of a million of them, are exact as JavaScript numbers. */
const SAFE_DIGITS = 9;
const ZERO = 48;
const POINT = 46;

/** The value of a short whole number; -1 for any other text. */
const shortWhole = (text: DecimalText): number => {
  if (text.length > SAFE_DIGITS) return -1;
  let value = 0;
  for (let index = 0; index < text.length; index += 1) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
};

/** An exact running sum of volumes: short whole numbers as numbers, anything else as scaled integers. */
class VolumeSum {
  #whole = 0;
  #other: DecimalText | null = null;
  #any = false;

  add(volume: DecimalText | null): void {
    if (volume === null) return;
    this.#any = true;
    const value = shortWhole(volume);
    if (value >= 0 && this.#whole < 1e15) this.#whole += value;
    else this.#other = addDecimalText(this.#other ?? "0", volume);
  }

  /** The sum; null when no row had a volume. */
  total(): DecimalText | null {
    if (!this.#any) return null;
    return this.#other === null ? String(this.#whole) : addDecimalText(this.#other, String(this.#whole));
  }

  /** Resets the sum. */
  clear(): void {
    this.#whole = 0;
    this.#other = null;
    this.#any = false;
  }
}

/**
 * Compares two prices. Within a series nearly all have the same length and decimal places: those are ordered by the first
 * differing character. Any others are compared as decimals.
 * @param point position of the other price's decimal point, -1 when it has none
 * @returns positive when the price is higher, negative when it is lower
 */
const compareAlike = (price: DecimalText, other: DecimalText, point: number): number => {
  const { length } = price;
  // For negative prices the higher digit is the lower figure.
  if (length !== other.length || price.charCodeAt(point) !== POINT || price.charCodeAt(0) < ZERO) {
    return compareDecimalText(price, other);
  }
  for (let index = 0; index < length; index += 1) {
    const difference = price.charCodeAt(index) - other.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return 0;
};

const pointOf = (price: DecimalText | null): number => price?.indexOf(".") ?? -1;

/** The bar of a group of rows: of its close alone when one of them is. */
const barOf = (
  { symbol, open, sourceId }: BarRow,
  { close }: BarRow,
  {
    interval,
    barStartMs,
    high,
    low,
    volume,
    isClosed,
  }: Pick<BarRow, "interval" | "barStartMs" | "high" | "low" | "volume" | "isClosed">,
): BarRow => {
  const known = high === null ? { open: null, high: null, low: null } : { open, high, low };
  return { symbol, interval, barStartMs, ...known, close, volume, isClosed, sourceId };
};

/**
 * Groups bars of one series into bars of a coarser interval.
 *
 * Open is the first row's, close the last row's, high and low the extremes, volume the exact sum; a row of its close alone makes
 * its group one, as the extremes are unknown. A group consists of the existing rows; an interval without rows has no bar. A group
 * is closed when a later one follows, when its last row is closed and ends where it ends, or when `nowMs` has reached its end.
 * @param rows oldest first, of one symbol and of one interval that divides the coarser one
 * @param nowMs now; when omitted, only the rows themselves close a group
 * @returns bars, oldest first
 * @throws RangeError when rows are not in time order, or a row is longer than the interval
 */
export const aggregateBars = (rows: readonly BarRow[], interval: Interval, nowMs?: number): BarRow[] => {
  const lengthMs = INTERVAL_MS[interval];
  const bars: BarRow[] = [];
  const volume = new VolumeSum();
  let [first, last] = [rows[0], rows[0]];
  if (!first || !last) return bars;
  let startMs = bucketStart(first.barStartMs, interval);
  let endMs = startMs + lengthMs;
  let lastMs = Number.NEGATIVE_INFINITY;
  let { high, low } = first;
  let [highPoint, lowPoint] = [pointOf(high), pointOf(low)];
  let rowInterval: Interval | null = null;
  for (const row of rows) {
    if (row.interval !== rowInterval) {
      rowInterval = row.interval;
      if (INTERVAL_MS[rowInterval] > lengthMs) throw new RangeError(`${interval} cannot be made of ${rowInterval}`);
    }
    const rowMs = row.barStartMs;
    if (rowMs <= lastMs) throw new RangeError(`bars out of order at ${rowMs}`);
    lastMs = rowMs;
    if (rowMs >= endMs) {
      bars.push(barOf(first, last, { interval, barStartMs: startMs, high, low, volume: volume.total(), isClosed: true }));
      volume.clear();
      first = row;
      startMs = bucketStart(rowMs, interval);
      endMs = startMs + lengthMs;
      ({ high, low } = row);
      [highPoint, lowPoint] = [pointOf(high), pointOf(low)];
    } else if (high === null || low === null || row.high === null || row.low === null) {
      [high, low] = [null, null];
    } else {
      if (compareAlike(row.high, high, highPoint) > 0) {
        high = row.high;
        highPoint = pointOf(high);
      }
      if (compareAlike(row.low, low, lowPoint) < 0) {
        low = row.low;
        lowPoint = pointOf(low);
      }
    }
    volume.add(row.volume);
    last = row;
  }
  const isClosed = (last.isClosed && barEnd(last) >= endMs) || (nowMs !== undefined && nowMs >= endMs);
  bars.push(barOf(first, last, { interval, barStartMs: startMs, high, low, volume: volume.total(), isClosed }));
  return bars;
};

/**
 * Adds rows up to the bars of one longer interval, each on its own: one that a later one follows is not closed for that.
 * @param rows oldest first
 * @param nowMs now; a bar is closed once its time is over, unless its last row is still forming
 * @returns the bars by their start
 */
export const addedUp = (rows: readonly BarRow[], interval: Interval, nowMs?: number): ReadonlyMap<number, BarRow> => {
  const groups = new Map<number, BarRow[]>();
  for (const row of rows) {
    const startMs = bucketStart(row.barStartMs, interval);
    const group = groups.get(startMs);
    if (group) group.push(row);
    else groups.set(startMs, [row]);
  }
  const bars = [...groups.values()].flatMap((group) =>
    aggregateBars(group, interval, group.at(-1)?.isClosed ? nowMs : undefined),
  );
  return new Map(bars.map((bar) => [bar.barStartMs, bar]));
};
