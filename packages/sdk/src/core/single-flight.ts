/** Sends identical concurrent requests once. */
import type { Answer } from "./answer.ts";
import { inTime } from "./in-time.ts";

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
