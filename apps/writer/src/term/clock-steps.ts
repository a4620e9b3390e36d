/** Steps of the clock: how far it moves against one that nobody can set. */

/** Smaller ones are a clock that is being corrected, second by second. */
const WORTH_A_WORD_MS = 2_000;

/** Notices steps between two looks. */
export class ClockSteps {
  readonly #monotonic: () => number;
  #aheadMs: number | null = null;

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /**
   * Looks at the clock.
   * @returns by how much it was set since the last look, in milliseconds, below zero for back; 0 for not at all
   */
  look(nowMs: number): number {
    const aheadMs = nowMs - this.#monotonic();
    const stepMs = aheadMs - (this.#aheadMs ?? aheadMs);
    this.#aheadMs = aheadMs;
    return Math.abs(stepMs) < WORTH_A_WORD_MS ? 0 : stepMs;
  }
}
