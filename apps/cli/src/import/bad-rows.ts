/** The invalid rows of a file: the first ones listed, the others counted. */

import { countOf } from "./count-of.ts";
import type { BadRow } from "./import-error.ts";

/** The number of rows listed. */
export const LISTED = 20;

/** The invalid rows of a file. */
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

  /** Rows with implausible prices for their market. */
  get strangePrices(): number {
    return this.#strangePrices;
  }

  /** One line per row, and one for those not listed. */
  lines(): readonly string[] {
    const beyond = this.#count - this.#listed.length;
    return [...this.#listed.map(({ message }) => message), ...(beyond > 0 ? [`and ${countOf(beyond, "more bad row")}`] : [])];
  }
}
