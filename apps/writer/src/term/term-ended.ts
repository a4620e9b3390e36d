/** The error of a write after the writer's term. */

/** The term ended before the write started. */
export class TermEndedError extends Error {
  override readonly name = "TermEndedError";
}
