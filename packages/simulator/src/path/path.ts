/**
 * A random walk that can be evaluated at any second directly.
 *
 * Between two known points the midpoint is their mean plus a bounded random step proportional to the square root of the time
 * between them; the halves are split again, down to the second (midpoint displacement). The step of an instant is a hash of that
 * instant, so each point depends only on the seed, and all readers of the path agree.
 */
import { partitionPoint } from "@assay/pricing";
import { noiseKey, STEP_BOUND, type StepNoise, shareAt, stepAt } from "./noise.ts";
import { DAY_SECONDS, HOUR_SECONDS, MIDDLE, middleValue } from "./tree.ts";

/** Levels a simulated path passes through, oldest first. */
export interface Anchors {
  /** UTC days since 1970-01-01, ascending. */
  readonly days: readonly number[];
  /** The level at the start of each of those days, in USD per the metal's unit or units per USD. */
  readonly levels: readonly number[];
}

/** Parameters of a path's movement. */
export interface PathShape {
  /** The name of its step stream; paths with the same name move alike. */
  readonly name: string;
  /** Annual volatility as a share of the level: 0.16 = 16 %. */
  readonly yearlyVolatility: number;
  /** The share of another stream it follows: the correlation with it, 0 to 1. */
  readonly follows?: { readonly name: string; readonly share: number };
  /** A small additional movement: its stream, and its size relative to the path's. */
  readonly wobble?: { readonly name: string; readonly size: number };
}

/** A path under one seed. Volatility regimes and shocks are the same for every path. */
export interface Path {
  readonly anchors: Anchors;
  readonly noise: StepNoise;
  readonly wobbleKey: number;
  readonly wobble: number;
  /** An upper bound for the path's steps. */
  readonly stepBound: number;
  /** Standard deviation of one second, as a share of the level. */
  readonly perSecond: number;
  readonly moodKey: number;
  readonly surpriseKey: number;
  /** When set, midnights are those of another path times a factor per day; within the day the path moves on its own. */
  readonly basis?: { readonly of: Path; readonly factor: (day: number) => number };
}

const YEAR_SECONDS = 365.25 * DAY_SECONDS;

/**
 * Opens a path.
 * @param shape how it moves
 * @param anchors the levels it passes through
 * @param seed the market's seed
 */
export const openPath = (shape: PathShape, anchors: Anchors, seed: number): Path => {
  const { follows = { name: shape.name, share: 0 }, wobble = { name: shape.name, size: 0 } } = shape;
  return {
    anchors,
    noise: {
      ownKey: noiseKey(seed, shape.name),
      sharedKey: noiseKey(seed, follows.name),
      shared: Math.floor(follows.share * 256),
    },
    wobbleKey: noiseKey(seed, wobble.name),
    wobble: wobble.size,
    stepBound: STEP_BOUND * (1 + wobble.size),
    perSecond: shape.yearlyVolatility / Math.sqrt(YEAR_SECONDS),
    moodKey: noiseKey(seed, "mood"),
    surpriseKey: noiseKey(seed, "surprise"),
  };
};

/** Keeps the last path opened of each name: opening one costs more than a price. */
export const openedPaths = (): ((name: string, seed: number, open: () => Path) => Path) => {
  const opened = new Map<string, { readonly seed: number; readonly path: Path }>();
  return (name, seed, open) => {
    const known = opened.get(name);
    if (known?.seed === seed) return known.path;
    const path = open();
    opened.set(name, { seed, path });
    return path;
  };
};

const wobbleAt = (path: Path, second: number): number => path.wobble * (2 * shareAt(path.wobbleKey, second) - 1);

/** The random step of a path at an instant, within ±stepBound. */
export const pathStep = (path: Path, second: number): number =>
  path.wobble === 0 ? stepAt(path.noise, second) : stepAt(path.noise, second) + wobbleAt(path, second);

/** Ranges short enough, in days, for shocks; over longer ones shocks average out. */
const SURPRISE_DAYS = 8;
/**
 * Usually a calm 0.7, rarely up to 3.2, divided by its root mean square: real days look like that, and all metals share the same
 * shock.
 */
const surpriseAt = (path: Path, day: number): number => {
  const share = shareAt(path.surpriseKey, day);
  const square = share * share;
  const rare = square * square * square * square; // no power function, whose last bit depends on the platform
  return (0.7 + 2.5 * rare) / 1.1166;
};

/**
 * The value of a path at the start of a UTC day.
 * @param day UTC days since 1970-01-01
 * @throws RangeError outside the path's anchors
 */
const midnight = (path: Path, day: number): number => {
  if (path.basis) return midnight(path.basis.of, day) * path.basis.factor(day);
  const { days, levels } = path.anchors;
  const above = Math.min(
    Math.max(
      partitionPoint(days, (each) => each <= day),
      1,
    ),
    days.length - 1,
  );
  const below = Math.max(0, above - 1);
  let low = days[below] ?? 0;
  let high = days[above] ?? 0;
  let a = levels[below] ?? 0;
  let b = levels[above] ?? 0;
  if (!(day >= low && day <= high)) throw new RangeError(`the simulated market has no day ${day}`);
  const deviation = path.perSecond * Math.sqrt(DAY_SECONDS);
  while (day !== low) {
    if (day === high) return b;
    const middle = (low + high) >> 1;
    const share = (middle - low) / (high - low);
    const surprise = high - low <= SURPRISE_DAYS ? surpriseAt(path, middle) : 1;
    const move = deviation * surprise * Math.sqrt(share * (high - middle)) * pathStep(path, middle * DAY_SECONDS);
    const value = (a + (b - a) * share) * (1 + move);
    if (day < middle) {
      high = middle;
      b = value;
    } else {
      low = middle;
      a = value;
    }
  }
  return a;
};

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

export const valueAt = (path: Path, second: number): number => {
  const day = Math.floor(second / DAY_SECONDS);
  let frame = lastFrames.get(path);
  if (frame?.day !== day) {
    frame = frameOf(path, day);
    lastFrames.set(path, frame);
  }
  return valueIn(frame, second);
};
