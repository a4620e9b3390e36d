/** Polls for a condition, up to a time limit that only ends what never comes: no time is asserted. */
import { setTimeout as sleep } from "node:timers/promises";

/** The time limit and the interval. */
export interface Waiting {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

const shown = (value: unknown): string => (value instanceof Error ? value.message : JSON.stringify(value))?.slice(0, 600);

/**
 * Polls until the answer is as expected.
 * @param what the condition, for the error message
 * @throws Error with the last answer at the time limit
 */
export const eventually = async <T>(
  what: string,
  probe: () => Promise<T> | T,
  holds: (value: T) => boolean,
  { withinMs = 120_000, everyMs = 150 }: Waiting = {},
): Promise<T> => {
  const endMs = performance.now() + withinMs;
  for (;;) {
    let last: unknown;
    try {
      const value = await probe();
      if (holds(value)) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= endMs) throw new Error(`not within ${withinMs} ms: ${what}; last seen: ${shown(last)}`);
    await sleep(everyMs);
  }
};
