/** Earlier answers, to be given again for a while. Bounded in number and in size. */
import type { Answer } from "./answer.ts";

/** Characters kept over all answers; the newest stay. */
const MOST_CHARACTERS = 16_000_000;

interface Entry {
  readonly answer: Answer;
  readonly storedMs: number;
}

/** Keeps answers by request. One belongs to one client, so nothing asked for with another key is in it. */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  #characters = 0;

  /** @param maxEntries at most so many answers are kept */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * An answer of at most that age.
   * @param key the request
   * @param maxAgeMs its greatest age, in milliseconds
   * @param nowMs now, epoch milliseconds
   * @returns a copy; null where there is none
   */
  get(key: string, maxAgeMs: number, nowMs: number): Answer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || nowMs - entry.storedMs > maxAgeMs) return null;
    return entry.answer.copy();
  }

  /**
   * Keeps an answer in place of the one before, and drops the oldest beyond the bounds.
   * @param key the request
   * @param answer its answer
   * @param nowMs now, epoch milliseconds
   */
  put(key: string, answer: Answer, nowMs: number): void {
    this.#drop(key);
    this.#entries.set(key, { answer: answer.copy(), storedMs: nowMs });
    this.#characters += answer.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#characters <= MOST_CHARACTERS) return;
      this.#drop(oldest);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#characters = 0;
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#characters -= entry.answer.length;
  }
}
