/** What stops an import: lines for the operator. */

/** A refusal whose message is meant to be read as it is. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

const LONGEST = 90;

/** A file's text, cut short. */
export const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

/** Why a row is refused: its field, and what is wrong with it. */
export class BadRow extends ImportError {
  readonly line: number;
  /** Whether it breaks no rule but that of the market's prices. */
  readonly isStrangePrice: boolean;

  constructor(file: string, line: number, field: string, message: string, isStrangePrice = false) {
    super(`${file} line ${line}, ${field}: ${message.replace(/[^\s"]{91,}/g, clipped)}`);
    this.line = line;
    this.isStrangePrice = isStrangePrice;
  }
}
