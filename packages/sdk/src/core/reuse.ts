/** Reuses answers: a cache of earlier ones, and one request for identical concurrent calls. */
import type { Answer } from "./answer.ts";
import { inTime } from "./attempt.ts";

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

interface Flight {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  waiting: number;
}

/** Requests in flight, by key. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();

  /**
   * Joins the flight of a request, or starts one. A caller's signal ends only that caller's wait; the request itself is
   * cancelled once all callers have left.
   * @param key the request
   * @param what method and path, for errors
   * @param signal the caller's signal
   * @param start sends the request; aborted by the signal it receives
   * @returns a copy of the answer for the caller
   */
  async join(
    key: string,
    what: string,
    signal: AbortSignal | undefined,
    start: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    let joined: Flight | undefined;
    const fly = (): Promise<Answer> => {
      joined = this.#flights.get(key) ?? this.#start(key, start);
      joined.waiting += 1;
      return joined.answer;
    };
    try {
      const bounds = { timeoutMs: Number.POSITIVE_INFINITY, missing: "No answer", signal, what };
      return (await inTime(bounds, fly)).copy();
    } finally {
      if (joined !== undefined) {
        joined.waiting -= 1;
        if (joined.waiting === 0) this.#end(key, joined);
      }
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<Answer>): Flight {
    const controller = new AbortController();
    const flight: Flight = { answer: start(controller.signal), controller, waiting: 0 };
    this.#flights.set(key, flight);
    // Callers after the answer send a new request.
    const land = (): void => this.#forget(key, flight);
    flight.answer.then(land, land);
    return flight;
  }

  #end(key: string, flight: Flight): void {
    this.#forget(key, flight);
    flight.controller.abort();
  }

  #forget(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
