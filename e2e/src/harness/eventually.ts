/** Waiting for what a process does in its own time: asked again and again, for so long and no longer. */
import { setTimeout as sleep } from "node:timers/promises";

/** How long and how often. */
export interface Waiting {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

const shown = (value: unknown): string => (value instanceof Error ? value.message : JSON.stringify(value))?.slice(0, 600);

/**
 * Asks until the answer is as it should be.
 * @param what in the words of the failure
 * @throws Error with the last answer when it never is
 */
export const eventually = async <T>(
  what: string,
  probe: () => Promise<T> | T,
  holds: (value: T) => boolean,
  { withinMs = 15_000, everyMs = 150 }: Waiting = {},
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
