/** A bounded wait for work that must have ended before something else, and that others could keep from ending. */
import type { Time } from "@assay/ports";

/**
 * Waits for work, but no longer than a time; afterwards it goes on alone.
 * @returns whether it ended in time
 * @throws what the work throws in time
 */
export const endsWithin = async (work: Promise<unknown>, ms: number, clock: Time): Promise<boolean> => {
  const waiting = new AbortController();
  try {
    return await Promise.race([work.then(() => true), clock.sleep(ms, waiting.signal).then(() => false)]);
  } finally {
    waiting.abort();
  }
};
