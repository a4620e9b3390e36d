/** A clock that stands still until a test moves it. */

/** A clock to hand to whatever takes one. */
export interface FakeClock {
  /** The time, epoch milliseconds. */
  (): number;
  /** Moves on. */
  advance(ms: number): void;
  /** Moves to an instant, earlier ones too. */
  set(ms: number): void;
}

/**
 * Makes a clock.
 * @param startMs what it shows first, epoch milliseconds
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
