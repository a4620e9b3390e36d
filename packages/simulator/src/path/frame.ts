/** One UTC day of a simulated path, hour by hour, and any second of it. */
import { shareAt } from "./noise.ts";
import { midnight, type Path, pathStep } from "./path.ts";
import { DAY_SECONDS, HOUR_SECONDS, MIDDLE, middleValue } from "./tree.ts";

/** Relative volatility of each UTC hour: Asia, then Europe, then the overlap with America, then the break. */
export const LIVELINESS: readonly number[] = [
  0.6, 0.7, 0.7, 0.6, 0.5, 0.5, 0.7, 1.1, 1.2, 1.1, 1, 1.1, 1.6, 2, 2.2, 1.9, 1.4, 1.1, 0.9, 0.8, 0.6, 0.3, 0.5, 0.6,
];

/** Cumulative volatility up to the start of each hour, 24 in total. */
const LIVELY_UNTIL: readonly number[] = (() => {
  const sums = [0];
  for (const lively of LIVELINESS) sums.push((sums.at(-1) ?? 0) + lively);
  const total = sums.at(-1) ?? 1;
  return sums.map((sum) => (sum * 24) / total);
})();

const livelyUntil = (hour: number): number => LIVELY_UNTIL[hour] ?? 0;

/** Relative volatility of a day, 0.7 to 1.3, so that there are quiet and wild days and weeks. */
const moodOf = (path: Path, day: number): number =>
  0.7 + 0.3 * (shareAt(path.moodKey, day) + shareAt(path.moodKey, -1 - Math.floor(day / 7)));

/** One UTC day of a path: the fixed points that every second derives from. */
export interface DayFrame {
  readonly path: Path;
  readonly day: number;
  /** The value at the start of each hour and at the end of the day. */
  readonly hours: Float64Array;
  /** The deviation of one second within each hour, as a share of the level. */
  readonly deviations: Float64Array;
}

/** Fills in the hours between two known ones; `deviation` is that of an average hour. */
const fillHours = (frame: DayFrame, deviation: number, low: number, high: number): void => {
  if (high - low < 2) return;
  const middle = (low + high) >> 1;
  const before = livelyUntil(middle) - livelyUntil(low);
  const all = livelyUntil(high) - livelyUntil(low);
  const share = before / all;
  const a = frame.hours[low] ?? 0;
  const b = frame.hours[high] ?? 0;
  const step = pathStep(frame.path, frame.day * DAY_SECONDS + middle * HOUR_SECONDS);
  frame.hours[middle] = (a + (b - a) * share) * (1 + deviation * Math.sqrt(share * (all - before)) * step);
  fillHours(frame, deviation, low, middle);
  fillHours(frame, deviation, middle, high);
};

/**
 * Computes one UTC day of a path.
 * @param day UTC days since 1970-01-01
 * @throws RangeError outside the path's anchors
 */
export const frameOf = (path: Path, day: number): DayFrame => {
  const frame = { path, day, hours: new Float64Array(25), deviations: new Float64Array(24) };
  frame.hours[0] = midnight(path, day);
  frame.hours[24] = midnight(path, day + 1);
  const deviation = path.perSecond * moodOf(path, day);
  for (let hour = 0; hour < 24; hour++) {
    frame.deviations[hour] = deviation * Math.sqrt(livelyUntil(hour + 1) - livelyUntil(hour));
  }
  fillHours(frame, deviation * Math.sqrt(HOUR_SECONDS), 0, 24);
  return frame;
};

/**
 * The value at a whole second of the frame's day.
 * @param second seconds since 1970-01-01
 */
export const valueIn = (frame: DayFrame, second: number): number => {
  const sinceMidnight = second - frame.day * DAY_SECONDS;
  const hour = Math.floor(sinceMidnight / HOUR_SECONDS);
  const place = sinceMidnight - hour * HOUR_SECONDS;
  const deviation = frame.deviations[hour] ?? 0;
  let a = frame.hours[hour] ?? 0;
  let b = frame.hours[hour + 1] ?? 0;
  let from = 0;
  for (let node = 0; place !== from; ) {
    const middle = MIDDLE[node] ?? 0;
    const value = middleValue(node, a, b, deviation * pathStep(frame.path, second - place + middle));
    if (place < middle) {
      b = value;
      node += 1;
    } else {
      a = value;
      node += middle - from;
      from = middle;
    }
  }
  return a;
};

/** The last day read of each path: the market asks for one second after the other, and a day costs several times a second. */
const lastFrames = new WeakMap<Path, DayFrame>();

/** The value at a whole second. */
export const valueAt = (path: Path, second: number): number => {
  const day = Math.floor(second / DAY_SECONDS);
  let frame = lastFrames.get(path);
  if (frame?.day !== day) {
    frame = frameOf(path, day);
    lastFrames.set(path, frame);
  }
  return valueIn(frame, second);
};
