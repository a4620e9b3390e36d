/** The clock, randomness and timers of streams. */
import { realSurroundings, type Surroundings } from "../core/surroundings.ts";

/** Clock, randomness and timers. */
export interface StreamSurroundings extends Pick<Surroundings, "nowMs" | "random"> {
  /** A monotonic clock in milliseconds: deadlines do not depend on the wall clock. */
  readonly elapsedMs: () => number;
  /** Calls back once; returns a function that cancels it. */
  readonly after: (waitMs: number, call: () => void) => () => void;
}

/** The real implementation. A followed stream keeps its process alive, so its timers do too. */
export const realStreamSurroundings: StreamSurroundings = {
  nowMs: realSurroundings.nowMs,
  random: realSurroundings.random,
  elapsedMs: () => performance.now(),
  after: (waitMs, call) => {
    const timer = setTimeout(call, waitMs);
    return () => clearTimeout(timer);
  },
};
