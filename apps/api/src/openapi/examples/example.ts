/** What an example of an answer is, and the moment all of them are of. */

/** An answer as the document shows it. */
export interface Example<Output> {
  /** When an answer looks like this. */
  readonly summary: string;
  readonly value: Output;
}

/** The examples of one route by name; an answer without a body has none. */
export type ExamplesOf<Output> = undefined extends Output ? Record<string, never> : Readonly<Record<string, Example<Output>>>;

/** The moment of the examples, so that they agree with each other. */
export const MOMENT = "2026-11-20T14:03:27Z";
