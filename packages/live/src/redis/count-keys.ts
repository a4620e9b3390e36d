/** The names of the keys that hold counts. */
import type { CallWindow } from "../ports.ts";

/**
 * A number per window, which expires with it; a hash per organisation and month, one hash of unsettled deltas, and what is under way
 * to the store.
 */
export class CountKeys {
  readonly #limit: string;
  readonly #usage: string;
  readonly deltas: string;
  /** Batches in transit to the store, and the number of batches that arrived. */
  readonly moving: string;
  readonly moved: string;

  constructor(prefix: string) {
    this.#limit = `${prefix}limit:`;
    this.#usage = `${prefix}usage:`;
    this.deltas = `${this.#usage}deltas`;
    this.moving = `${this.#usage}moving`;
    this.moved = `${this.#usage}moved`;
  }

  window({ key, windowMs }: CallWindow): string {
    return `${this.#limit}${windowMs}:${key}`;
  }

  month(orgId: string, day: string): string {
    return `${this.#usage}${day.slice(0, 7)}:${orgId}`;
  }
}
