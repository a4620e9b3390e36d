/** Caches answers for a limited time, bounded in number and in size. */
import type { Answer } from "./answer.ts";

/** Characters kept across all answers; the newest are kept. */
const MOST_CHARACTERS = 16_000_000;

interface Entry {
  readonly answer: Answer;
  readonly storedMs: number;
}

/** A cache of answers by request. Each client has its own, so it never holds answers for another key. */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  #characters = 0;

  /** @param maxEntries the most answers kept */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /**
   * Returns a cached answer no older than a given age.
   * @param key the request
   * @param maxAgeMs the maximum age, in milliseconds
   * @param nowMs now, epoch milliseconds
   * @returns a copy; null when there is none
   */
  get(key: string, maxAgeMs: number, nowMs: number): Answer | null {
    const entry = this.#entries.get(key);
    if (entry === undefined || nowMs - entry.storedMs > maxAgeMs) return null;
    return entry.answer.copy();
  }

  /**
   * Stores an answer, replacing the previous one, and evicts the oldest beyond the limits.
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

  /** Clears the cache. */
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
