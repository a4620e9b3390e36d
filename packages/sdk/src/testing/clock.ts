/** Clock and randomness for tests: waits are recorded and end at once. */
import type { Clock } from "../core/runtime.ts";

/** Clock whose waits are recorded, and whose clock can be set. */
export interface TestClock extends Clock {
  readonly waits: number[];
  readonly passMs: (ms: number) => void;
}

/**
 * Clock at 2026-11-20T12:00:00Z.
 * @param random the constant random number
 */
export const testClock = (random = 0.5): TestClock => {
  let nowMs = Date.UTC(2026, 10, 20, 12);
  let ids = 0;
  const waits: number[] = [];
  return {
    waits,
    passMs: (ms) => {
      nowMs += ms;
    },
    nowMs: () => nowMs,
    random: () => random,
    sleep: async (waitMs, signal) => {
      waits.push(waitMs);
      signal?.throwIfAborted();
    },
    newId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  };
};
