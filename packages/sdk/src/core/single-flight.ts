/** Equal requests under way at the same time are sent once. */
import type { Answer } from "./answer.ts";
import { inTime } from "./in-time.ts";

interface Flight {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  waiting: number;
}

/** Requests under way, by what they ask for. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();

  /**
   * Waits for the flight of that request, starting one where there is none. A caller's signal ends only that caller's
   * waiting; the request itself is cancelled when nobody waits any more.
   * @param key the request
   * @param what method and path, for errors
   * @param signal the caller's
   * @param start sends the request, ended by the signal it is given
   * @returns an answer of the caller's own
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
    // Who comes after the answer asks anew.
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
