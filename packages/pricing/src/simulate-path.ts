/**
 * A random walk that can be read at any second without walking there.
 *
 * Between two known points the middle one is their mean, moved by a bounded random step in proportion to the square root of the
 * time between them; the halves are split again, down to the second. The step of an instant is a hash of that instant,
 * so each point depends on nothing but the seed, and everything that reads the path agrees.
 */
import type { Anchors } from "./market-levels.ts";
import { noiseKey, STEP_BOUND, type StepNoise, shareAt, stepAt } from "./simulate-noise.ts";
import { DAY_SECONDS } from "./simulate-tree.ts";

/** How a path moves. */
export interface PathShape {
  /** Names its stream of steps; paths of one name are moved alike. */
  readonly name: string;
  /** One standard deviation of a year, as a share of the level: 0.16 = 16 %. */
  readonly yearlyVolatility: number;
  /** How much of another stream it takes over: the correlation with it, 0 to 1. */
  readonly follows?: { readonly name: string; readonly share: number };
  /** A small movement of its own on top: its stream, and its size against the path's. */
  readonly wobble?: { readonly name: string; readonly size: number };
}

/** A path under one seed. Moods and surprises are the same for every path. */
export interface Path {
  readonly anchors: Anchors;
  readonly noise: StepNoise;
  readonly wobbleKey: number;
  readonly wobble: number;
  /** No step of the path is larger. */
  readonly stepBound: number;
  /** Movement of one standard deviation in a second, as a share of the level. */
  readonly perSecond: number;
  readonly moodKey: number;
  readonly surpriseKey: number;
  /** Where set, midnights are those of another path times a factor of the day; within the day the path is its own. */
  readonly basis?: { readonly of: Path; readonly factor: (day: number) => number };
}

const YEAR_SECONDS = 365.25 * DAY_SECONDS;

/**
 * Opens a path.
 * @param shape how it moves
 * @param anchors the levels it runs through
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

const wobbleAt = (path: Path, second: number): number => path.wobble * (2 * shareAt(path.wobbleKey, second) - 1);

/** The random step of a path at an instant, within ±stepBound. */
export const pathStep = (path: Path, second: number): number =>
  path.wobble === 0 ? stepAt(path.noise, second) : stepAt(path.noise, second) + wobbleAt(path, second);

/** Stretches of days short enough for a surprise; over longer ones surprises level out. */
const SURPRISE_DAYS = 8;
/** Mostly a calm 0.7, rarely up to 3.2, over its root mean square: real days are like that, and all metals feel the same one. */
const surpriseAt = (path: Path, day: number): number => {
  const share = shareAt(path.surpriseKey, day);
  const square = share * share;
  const rare = square * square * square * square; // no power function, whose last bit is up to the platform
  return (0.7 + 2.5 * rare) / 1.1166;
};

/**
 * The value of a path at the start of a UTC day.
 * @param day UTC days since 1970-01-01
 * @throws RangeError outside the path's anchors
 */
export const midnight = (path: Path, day: number): number => {
  if (path.basis) return midnight(path.basis.of, day) * path.basis.factor(day);
  const { days, levels } = path.anchors;
  let below = 0;
  let above = days.length - 1;
  while (above - below > 1) {
    const middle = (below + above) >> 1;
    if ((days[middle] ?? 0) <= day) below = middle;
    else above = middle;
  }
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
