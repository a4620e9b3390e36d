/** The interface of a benchmark's child process, and the messages between the two processes. */

/** A running part. */
export interface Part {
  /** Sent to the parent when it is ready. */
  readonly ready: unknown;
  /** Executes an order; a part without it only serves. */
  readonly run?: (order: never) => unknown;
  readonly close?: () => Promise<void>;
}

/** Starts a part with its settings. */
export type StartPart = (settings: never) => Part | Promise<Part>;

/** What the parent sends. */
export type ToPart = { readonly settings: unknown } | { readonly order: unknown };

/** What the part sends back. */
export type FromPart = { readonly ready: unknown } | { readonly answer: unknown } | { readonly fault: string };
