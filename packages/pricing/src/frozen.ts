/** Frozen values: a publisher whose figure never moves is not telling the price any more, however fresh its clock. */

/** For how long, and over how many readings, a figure has been the same. */
export interface FrozenRun {
  /** The figure, or any text that stands for the whole reading. */
  readonly value: string;
  /** When it was first seen so, epoch milliseconds. */
  readonly sinceMs: number;
  readonly readings: number;
}

/**
 * Takes a reading into the run of equal ones.
 * @param run the run so far, null at the start
 * @param value the reading's figure, or any text that stands for the whole reading
 * @param atMs when it was fetched
 */
export const frozenRun = (run: FrozenRun | null, value: string, atMs: number): FrozenRun =>
  run?.value === value ? { ...run, readings: run.readings + 1 } : { value, sinceMs: atMs, readings: 1 };

/** When a run counts as frozen: both must be reached. */
export interface FrozenLimit {
  readonly forMs: number;
  readonly readings: number;
}

/** Spot metal moves many times a minute while the market is open: half an hour over ten readings is no market. */
export const SPOT_FROZEN: FrozenLimit = { forMs: 30 * 60_000, readings: 10 };

/**
 * Whether a run is frozen at a moment.
 * @param run the run
 * @param nowMs the moment
 * @param open whether the market is open, and was since the run began; a closed market is allowed to stand still
 * @param limit when it counts
 */
export const isFrozen = (run: FrozenRun, nowMs: number, open: boolean, limit: FrozenLimit = SPOT_FROZEN): boolean =>
  open && run.readings >= limit.readings && nowMs - run.sinceMs >= limit.forMs;
