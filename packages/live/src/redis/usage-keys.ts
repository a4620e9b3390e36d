/** The names of the keys that hold usage counts. */

/** A hash per organisation and month, one hash of unsettled deltas, and what is under way to the store. */
export class UsageKeys {
  readonly #prefix: string;
  readonly deltas: string;
  /** Batches in transit to the store, and the number of batches that arrived. */
  readonly moving: string;
  readonly moved: string;

  constructor(prefix: string) {
    this.#prefix = `${prefix}usage:`;
    this.deltas = `${this.#prefix}deltas`;
    this.moving = `${this.#prefix}moving`;
    this.moved = `${this.#prefix}moved`;
  }

  month(orgId: string, day: string): string {
    return `${this.#prefix}${day.slice(0, 7)}:${orgId}`;
  }
}
