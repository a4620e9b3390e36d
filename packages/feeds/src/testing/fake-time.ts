/** A clock and timers that move only when a test says so. */
import type { Timers } from "../runner.ts";

/** Time in a test's hand. */
export interface FakeTime {
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Delays of the timers that are set, soonest first. */
  pending(): readonly number[];
  /** Moves the clock on and runs what falls due, letting promises settle in between. */
  advance(ms: number): Promise<void>;
}

/** Lets every promise that can settle do so. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that begins at an instant. */
export const fakeTime = (startMs: number): FakeTime => {
  let nowMs = startMs;
  let set: { readonly atMs: number; readonly run: () => void }[] = [];
  const soonest = () => set.toSorted((a, b) => a.atMs - b.atMs)[0];
  return {
    nowMs: () => nowMs,
    timers: {
      after: (ms, run) => {
        const timer = { atMs: nowMs + ms, run };
        set.push(timer);
        return () => {
          set = set.filter((each) => each !== timer);
        };
      },
    },
    pending: () => set.map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
    advance: async (ms) => {
      const untilMs = nowMs + ms;
      await settle();
      for (let next = soonest(); next && next.atMs <= untilMs; next = soonest()) {
        const { atMs, run } = next;
        set = set.filter((each) => each.run !== run || each.atMs !== atMs);
        nowMs = atMs;
        run();
        await settle();
      }
      nowMs = untilMs;
    },
  };
};
