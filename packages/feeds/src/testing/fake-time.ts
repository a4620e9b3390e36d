/** A fake clock and timers, advanced by the test. */
import type { Timers } from "../runner/runner.ts";

/** Fake time. */
export interface FakeTime {
  readonly nowMs: () => number;
  readonly timers: Timers;
  /** Delays of pending timers, soonest first. */
  pending(): readonly number[];
  /** Advances the clock and runs due timers, letting promises settle in between. */
  advance(ms: number): Promise<void>;
}

/** Lets every pending promise settle. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that starts at an instant. */
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
