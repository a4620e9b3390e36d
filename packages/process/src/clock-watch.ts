/** Notices that the wall clock was set, by comparing it with a monotonic one, which nothing sets. */
import { SECOND_MS } from "@assay/contract";
import type { Clock } from "@assay/ports";

/** A corrected drift is far smaller within the second between two looks. */
const LEAST_STEP_MS = SECOND_MS;

/**
 * Looks for steps of a clock.
 * @param clock the wall clock
 * @param elapsed a monotonic clock in milliseconds
 * @returns looks once more: by how much the clock was set since the last look, in milliseconds; 0 when it was not
 */
export const clockSteps = (clock: Clock, elapsed: () => number): (() => number) => {
  let aheadMs = clock() - elapsed();
  return () => {
    const beforeMs = aheadMs;
    aheadMs = clock() - elapsed();
    const stepMs = Math.round(aheadMs - beforeMs);
    return Math.abs(stepMs) < LEAST_STEP_MS ? 0 : stepMs;
  };
};
