/** Limits how many frames a client may send. */

/** A sliding window: a maximum number within any period of its length. */
export class FrameRate {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #atMs: number[] = [];
  #next = 0;

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  /** Counts a frame; false when it exceeds the limit. */
  take(nowMs: number): boolean {
    const oldestMs = this.#atMs[this.#next];
    if (oldestMs !== undefined && nowMs - oldestMs < this.#windowMs) return false;
    this.#atMs[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#limit;
    return true;
  }
}
