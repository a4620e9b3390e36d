/** Assay's own clock. */

/** Reads the time, epoch milliseconds. */
export type Clock = () => number;

/**
 * The clock everything is given.
 * @param offsetMs `CLOCK_OFFSET_MS`: how far it is ahead of the machine's, for rehearsals
 * @param machine the machine's clock
 */
export const openClock = (offsetMs: number, machine: Clock = Date.now): Clock =>
  offsetMs === 0 ? machine : () => machine() + offsetMs;
