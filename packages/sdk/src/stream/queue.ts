/** What waits for the reader: in order, and never more than a limit. */
import { conflate } from "./conflate.ts";
import type { Item } from "./items.ts";

/** A bounded queue. */
export class Queue {
  readonly #limit: number;
  #items: Item[] = [];
  #head = 0;

  /** @param limit how many may wait before they are conflated */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many wait. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds what one frame came to; it is never parted. */
  push(items: readonly Item[]): void {
    this.#items.push(...items);
    if (this.size > this.#limit) this.#replace(conflate(this.#items.slice(this.#head)));
  }

  /** Takes the oldest; undefined for none. */
  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    // Moved up when half is free: a queue that is never quite empty does not grow.
    if (this.#head * 2 >= this.#items.length) this.#replace(this.#items.slice(this.#head));
    return item;
  }

  /** Drops what waits of one name. */
  drop(name: string): void {
    this.#replace(this.#items.slice(this.#head).filter((item) => item.kind === "note" || item.name !== name));
  }

  /** Drops everything. */
  clear(): void {
    this.#replace([]);
  }

  #replace(items: Item[]): void {
    this.#items = items;
    this.#head = 0;
  }
}
