/** An upstream's usable answer. */

/** What kind of body a request expects. */
export type Payload = "json" | "xml" | "zip" | "html" | "text";

/** A body that passed every check of the transport. */
export interface Reply {
  readonly bytes: Uint8Array;
  /** When the upstream last vouched for this body: its arrival, or the arrival of "not modified". */
  readonly receivedAtMs: number;
}
