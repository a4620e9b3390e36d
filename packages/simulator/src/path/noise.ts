/** Noise that is a pure function of a key and an instant: integer mixing only, the same on every platform. */

const TWO_TO_31 = 2_147_483_648;
const TWO_TO_32 = 4_294_967_296;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Mixes 32 bits with a key so that neighbouring inputs are uncorrelated. */
const mix = (key: number, input: number): number => {
  let hash = Math.imul(input, 0x9e3779b1);
  hash ^= hash >>> 15;
  hash = Math.imul(hash ^ key, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
};

/**
 * The key of a noise stream.
 * @param seed the market's seed, any safe integer
 * @param name what the noise is for
 */
export const noiseKey = (seed: number, name: string): number => {
  let hash = FNV_OFFSET;
  for (let index = 0; index < name.length; index++) hash = Math.imul(hash ^ name.charCodeAt(index), FNV_PRIME);
  return mix(mix(hash, seed | 0), Math.floor(seed / TWO_TO_32) | 0);
};

/**
 * Uniform noise of a key at a point.
 * @param at any integer; points 2^32 apart are the same
 * @returns uniform in [0, 1)
 */
export const shareAt = (key: number, at: number): number => (mix(key, at) >>> 0) / TWO_TO_32;

/** A step is up or down by 0.7 to 1.3, divided by their root mean square. */
const LEAST_STEP = 0.7;
const STEP_RANGE = 0.6;
const MEAN_STEP = Math.sqrt(LEAST_STEP * LEAST_STEP + LEAST_STEP * STEP_RANGE + (STEP_RANGE * STEP_RANGE) / 3);

/** The largest step. A low bound lets the search for a day's extremes skip most of it. */
export const STEP_BOUND = (LEAST_STEP + STEP_RANGE) / MEAN_STEP;

const LEAST = LEAST_STEP / MEAN_STEP;
const SLOPE = STEP_RANGE / MEAN_STEP / TWO_TO_31;

/** The streams that a step is drawn from. */
export interface StepNoise {
  readonly ownKey: number;
  /** In `shared` of 256 instants the step comes from this stream, so that paths that share it are correlated. */
  readonly sharedKey: number;
  readonly shared: number;
}

/**
 * The random step of an instant: up or down, with deviation 1, within ±STEP_BOUND.
 * @param second seconds since 1970-01-01
 */
export const stepAt = (noise: StepNoise, second: number): number => {
  const own = mix(noise.ownKey, second);
  // A path that follows none, as gold's, saves the second hash: in a history these are most of the work.
  const other = noise.shared === 0 ? own : mix(noise.sharedKey, second);
  // masks instead of branches: noise defeats branch prediction, and a misprediction costs more than all the rest
  const isOther = ((own & 255) - noise.shared) >> 31;
  const hash = (own & ~isOther) | (other & isOther);
  return ((hash >> 31) | 1) * LEAST + hash * SLOPE;
};

/**
 * Continuous uniform noise: redrawn every `period`, linearly interpolated in between.
 * @param second seconds since 1970-01-01
 * @param period in seconds
 * @returns in [0, 1)
 */
export const driftAt = (key: number, second: number, period: number): number => {
  const before = Math.floor(second / period);
  const a = shareAt(key, before);
  return a + (shareAt(key, before + 1) - a) * (second / period - before);
};
