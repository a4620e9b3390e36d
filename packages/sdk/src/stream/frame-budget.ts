/** How many frames may be sent: fewer than the service allows, which closes a client of too many for good. */

/** Some frames are kept in hand, and the window is a little longer: clocks and lines are not even. */
const IN_RESERVE = 4;
const LONGER_BY = 1.1;

/** A sliding window over what was sent. */
export class FrameBudget {
  readonly #most: number;
  readonly #windowMs: number;
  #sentAtMs: number[] = [];

  /**
   * @param maxFrames the service's limit
   * @param windowMs its window, in milliseconds
   */
  constructor(maxFrames: number, windowMs: number) {
    this.#most = maxFrames - IN_RESERVE;
    this.#windowMs = windowMs * LONGER_BY;
  }

  /** Notes a frame that is sent now. */
  spend(nowMs: number): void {
    this.#sentAtMs.push(nowMs);
  }

  /**
   * How long to wait before so many more.
   * @param nowMs the elapsed clock, in milliseconds
   * @returns milliseconds, 0 for none
   */
  waitMs(frames: number, nowMs: number): number {
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => atMs + this.#windowMs > nowMs);
    const tooMany = this.#sentAtMs.length + frames - this.#most;
    const freeing = this.#sentAtMs[tooMany - 1];
    return freeing === undefined ? 0 : Math.ceil(freeing + this.#windowMs - nowMs);
  }
}
