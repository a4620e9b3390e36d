/** Frozen values: a publisher whose figure never changes no longer reports the price, however fresh its timestamp. */

/** For how long, and over how many readings, a figure has not changed. */
export interface FrozenRun {
  /** The figure, or any text that represents the whole reading. */
  readonly value: string;
  /** When it was first seen, epoch milliseconds. */
  readonly sinceMs: number;
  readonly readings: number;
}

/**
 * Adds a reading to the run of equal ones.
 * @param run the run so far, null at the start
 * @param value the reading's figure, or any text that represents the whole reading
 * @param atMs when it was fetched
 */
export const frozenRun = (run: FrozenRun | null, value: string, atMs: number): FrozenRun =>
  run?.value === value ? { ...run, readings: run.readings + 1 } : { value, sinceMs: atMs, readings: 1 };

/** When a run counts as frozen: both limits must be reached. */
export interface FrozenLimit {
  readonly forMs: number;
  readonly readings: number;
}

/** Spot metal changes many times a minute while the market is open: half an hour and ten equal readings mean a frozen feed. */
export const SPOT_FROZEN: FrozenLimit = { forMs: 30 * 60_000, readings: 10 };

/**
 * Whether a run is frozen at a moment.
 * @param run the run
 * @param nowMs the moment
 * @param open whether the market is open, and has been since the run began; in a closed market figures may stand still
 * @param limit when it counts as frozen
 */
export const isFrozen = (run: FrozenRun, nowMs: number, open: boolean, limit: FrozenLimit = SPOT_FROZEN): boolean =>
  open && run.readings >= limit.readings && nowMs - run.sinceMs >= limit.forMs;
