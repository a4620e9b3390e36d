/** A clock that moves only when a test moves it. */

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
