/** The clocks of tests: one that only a test moves, and that of a run on another day. */

/** A clock to pass to code under test. */
export interface FakeClock {
  /** The time, epoch milliseconds. */
  (): number;
  /** Advances. */
  advance(ms: number): void;
  /** Sets the time, backwards too. */
  set(ms: number): void;
}

/**
 * Creates a clock.
 * @param startMs its initial time, epoch milliseconds
 */
export const fakeClock = (startMs: number): FakeClock => {
  let nowMs = startMs;
  return Object.assign(() => nowMs, {
    advance: (ms: number): void => {
      nowMs += ms;
    },
    set: (ms: number): void => {
      nowMs = ms;
    },
  });
};

/** What moves a program's clock: a library that is loaded before it, and its settings. */
const VARIABLES = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

/**
 * The clock of a run on another day (`TEST_DAY`), for processes that are started with an environment of their own.
 * @returns the variables that give a child process the clock of this one; none on the true day
 */
export const movedClock = (): Record<string, string> => {
  if (!process.env.TEST_DAY) return {};
  return Object.fromEntries(VARIABLES.map((name) => [name, process.env[name] ?? ""]));
};
