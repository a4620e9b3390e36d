/** The bar starts seen so far in a file: one bit per interval, so that a file in any order is checked in little memory. */

/** Starts per page: 45 days of minutes in eight kilobytes. */
const PAGE = 65_536;

/** A set of bar starts. */
export class StartSet {
  readonly #lengthMs: number;
  readonly #pages = new Map<number, Uint8Array>();

  /** @param lengthMs the interval's length; starts are whole multiples of it */
  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Adds a start. @returns whether it is new */
  add(startMs: number): boolean {
    const index = startMs / this.#lengthMs;
    const number = Math.floor(index / PAGE);
    const page = this.#pages.get(number) ?? new Uint8Array(PAGE / 8);
    this.#pages.set(number, page);
    const place = index - number * PAGE;
    const byte = page[place >> 3] ?? 0;
    const bit = 1 << (place & 7);
    page[place >> 3] = byte | bit;
    return (byte & bit) === 0;
  }

  /** Yields every start, oldest first. */
  forEach(take: (startMs: number) => void): void {
    for (const number of [...this.#pages.keys()].sort((a, b) => a - b)) {
      const page = this.#pages.get(number) ?? new Uint8Array();
      for (const [at, byte] of page.entries()) {
        for (let bits = byte, place = at * 8; bits !== 0; bits >>= 1, place += 1) {
          if (bits & 1) take((number * PAGE + place) * this.#lengthMs);
        }
      }
    }
  }
}
