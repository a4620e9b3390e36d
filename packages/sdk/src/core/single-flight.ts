/** Equal requests under way at the same time are sent once. */
import type { Answer } from "./answer.ts";
import { RequestAbortedError } from "./errors.ts";

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
   * @param signal the caller's
   * @param start sends the request, ended by the signal it is given
   * @returns an answer of the caller's own
   */
  async join(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    if (signal?.aborted) throw new RequestAbortedError("Aborted", { cause: signal.reason });
    const flight = this.#flights.get(key) ?? this.#start(key, start);
    flight.waiting += 1;
    let abort: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      abort = () => reject(new RequestAbortedError("Aborted", { cause: signal?.reason }));
      signal?.addEventListener("abort", abort, { once: true });
    });
    try {
      return (await Promise.race([flight.answer, left])).copy();
    } finally {
      if (abort !== undefined) signal?.removeEventListener("abort", abort);
      flight.waiting -= 1;
      if (flight.waiting === 0) this.#end(key, flight);
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
