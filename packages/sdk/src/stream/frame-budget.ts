/** How many frames may be sent: below the service's limit, since it permanently closes clients above it. */

/** A reserve of frames and a slightly longer window, since clocks and latency vary. */
const IN_RESERVE = 4;
const LONGER_BY = 1.1;

/** A sliding window of sent frames. */
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

  /** Records a frame sent now. */
  spend(nowMs: number): void {
    this.#sentAtMs.push(nowMs);
  }

  /**
   * How long to wait before sending that many more.
   * @param nowMs the monotonic clock, in milliseconds
   * @returns milliseconds, 0 for none
   */
  waitMs(frames: number, nowMs: number): number {
    this.#sentAtMs = this.#sentAtMs.filter((atMs) => atMs + this.#windowMs > nowMs);
    const tooMany = this.#sentAtMs.length + frames - this.#most;
    const freeing = this.#sentAtMs[tooMany - 1];
    return freeing === undefined ? 0 : Math.ceil(freeing + this.#windowMs - nowMs);
  }
}
