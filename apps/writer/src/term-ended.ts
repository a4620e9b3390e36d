/** What a write throws when the writer may not write any more. */

/** The term ended before the write began. */
export class TermEndedError extends Error {
  override readonly name = "TermEndedError";
}
