/** The reader's queue: in order, and bounded. */
import { conflate } from "./conflate.ts";
import type { Item } from "./items.ts";

/** A bounded queue. */
export class Queue {
  readonly #limit: number;
  #items: Item[] = [];
  #head = 0;

  /** @param limit how many items may wait before they are conflated */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of queued items. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds the items of one frame; they are never separated. */
  push(items: readonly Item[]): void {
    this.#items.push(...items);
    if (this.size > this.#limit) this.#replace(conflate(this.#items.slice(this.#head)));
  }

  /** Takes the oldest; undefined when empty. */
  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    // Compacted when half is free: a queue that is never quite empty must not grow.
    if (this.#head * 2 >= this.#items.length) this.#replace(this.#items.slice(this.#head));
    return item;
  }

  /** Drops the queued items of one name. */
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
