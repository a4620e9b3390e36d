/** Assay's clock. */
import type { Clock } from "@assay/live";

/**
 * The clock passed to everything in the process.
 * @param offsetMs `CLOCK_OFFSET_MS`: how far it runs ahead of the machine's clock, for rehearsals
 * @param machine the machine's clock
 */
export const openClock = (offsetMs: number, machine: Clock = Date.now): Clock =>
  offsetMs === 0 ? machine : () => machine() + offsetMs;
