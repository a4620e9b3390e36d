/** Errors that stop an import, and the bad rows of a file, written for the operator. */

/** An error whose message is printed as it is. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

const LONGEST = 90;

/** An excerpt of a file's text. */
export const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Why a row is invalid: its field, and what is wrong with it. */
export class BadRow extends ImportError {
  readonly line: number;
  /** Whether implausible prices are its only error. */
  readonly isStrangePrice: boolean;

  constructor(file: string, line: number, field: string, message: string, isStrangePrice = false) {
    super(`${file} line ${line}, ${field}: ${message.replace(/[^\s"]{91,}/g, clipped)}`);
    this.line = line;
    this.isStrangePrice = isStrangePrice;
  }
}

/** A count of something whose plural ends in s: `1 bar`, `2 bars`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The number of rows listed. */
const LISTED = 20;

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
