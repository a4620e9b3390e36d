/** Errors that stop an import, written for the operator. */

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
