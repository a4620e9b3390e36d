/** When a writer wakes next. */
import { SECOND_MS } from "@assay/contract";

/**
 * How long until the whole second after an instant that was handled, in milliseconds: none when that second has passed, because
 * a write took long, and a moment when the timer fired early. Otherwise its tick would wait for the second after.
 * @param handledMs the instant
 * @param nowMs the time now; it may be before `handledMs` if the clock was set back, and then the wait is one second
 */
export const untilNextSecondMs = (handledMs: number, nowMs: number): number => {
  const dueMs = (Math.floor(handledMs / SECOND_MS) + 1) * SECOND_MS;
  return Math.min(SECOND_MS, Math.max(0, dueMs - nowMs));
};
