/** The rows of a file that break a rule: the first ones by name, the others by number. */
import type { BadRow } from "./import-error.ts";

/** Rows that are listed. */
export const LISTED = 20;

/** What is wrong in a file. */
export class BadRows {
  readonly #listed: BadRow[] = [];
  #count = 0;
  #strangePrices = 0;

  add(row: BadRow): void {
    this.#count += 1;
    if (row.isStrangePrice) this.#strangePrices += 1;
    if (this.#listed.length < LISTED) this.#listed.push(row);
  }

  get count(): number {
    return this.#count;
  }

  /** Those whose prices the market did not have. */
  get strangePrices(): number {
    return this.#strangePrices;
  }

  /** One line a row, and one for those that are not listed. */
  lines(): readonly string[] {
    const beyond = this.#count - this.#listed.length;
    return [...this.#listed.map(({ message }) => message), ...(beyond > 0 ? [`and ${beyond} more bad rows`] : [])];
  }
}
