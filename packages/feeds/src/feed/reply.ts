/** An upstream's usable answer. */

/** The kind of body a request expects. */
export type Payload = "json" | "xml" | "zip" | "html" | "text";

/** A body that passed every transport check. */
export interface Reply {
  readonly bytes: Uint8Array;
  /** When the upstream last confirmed this body: when it arrived, or when "not modified" did. */
  readonly receivedAtMs: number;
}
