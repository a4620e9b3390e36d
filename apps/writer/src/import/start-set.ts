/** Which bars a file has had so far: one bit per interval of time, so that a file of any order is checked in little memory. */

/** Starts to a page: 45 days of minutes in eight kilobytes. */
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

  #has(index: number): boolean {
    const number = Math.floor(index / PAGE);
    const place = index - number * PAGE;
    return ((this.#pages.get(number)?.[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /**
   * The stretches without a start between two that are there, in order of time.
   * @returns each from the first missing start to the next one that is there
   */
  *gaps(firstMs: number, lastMs: number): Generator<{ readonly fromMs: number; readonly untilMs: number }> {
    let gap: number | null = null;
    for (let index = firstMs / this.#lengthMs; index <= lastMs / this.#lengthMs; index += 1) {
      const isThere = this.#has(index);
      if (!isThere) gap ??= index;
      else if (gap !== null) {
        yield { fromMs: gap * this.#lengthMs, untilMs: index * this.#lengthMs };
        gap = null;
      }
    }
  }
}
