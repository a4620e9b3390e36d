/** Something that computes off the main thread. */

/** Computes one answer at a time. */
export interface Thread<Input, Output> {
  /** @throws Error when it failed, or timed out and was cancelled, or is computing already */
  ask(input: Input): Promise<Output>;
  /** Cancels the computation in progress and releases its resources. */
  close(): Promise<void>;
}
