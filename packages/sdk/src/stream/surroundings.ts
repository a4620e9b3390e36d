/** What streams take from the world around them: time, chance and timers. */
import { realSurroundings, type Surroundings } from "../core/surroundings.ts";

/** Time, chance and timers. */
export interface StreamSurroundings extends Pick<Surroundings, "nowMs" | "random"> {
  /** Milliseconds that only pass: deadlines do not follow a clock that is set. */
  readonly elapsedMs: () => number;
  /** Calls back once; the answer prevents it. */
  readonly after: (waitMs: number, call: () => void) => () => void;
}

/** The real ones. A stream that is followed keeps its process alive, so its timers do. */
export const realStreamSurroundings: StreamSurroundings = {
  nowMs: realSurroundings.nowMs,
  random: realSurroundings.random,
  elapsedMs: () => performance.now(),
  after: (waitMs, call) => {
    const timer = setTimeout(call, waitMs);
    return () => clearTimeout(timer);
  },
};
