/** One request, and its answer, independent of transport. */
import type { ErrorCode, FailWith, Format, SuppliedKey } from "@assay/contract";
import type { Caller } from "./context.ts";

/** How parameters are refused. */
export type FailInput = FailWith<"validation_error" | "payload_too_large">;

/** One request, as a transport passes it in. */
export interface Call {
  readonly requestId: string;
  /** The client's address; IPv6 already reduced to its /64. */
  readonly ip: string;
  readonly key: SuppliedKey;
  readonly idempotencyKey?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly acceptEncoding?: string | undefined;
  /** The W3C trace context the caller sent. */
  readonly traceparent?: string | undefined;
  /**
   * Parses the parameters: valid, or refused. Called after the checks that do not need them.
   * @param caller for transports whose protocol leaves the reach of a request to the service
   */
  readonly readInput: (fail: FailInput, caller: Caller) => unknown;
  /** What the answer is written in; undefined is JSON. Called once the verb has answered. */
  readonly format?: () => Format | undefined;
  /** The address of another page of the same request. */
  readonly pageLink?: (cursor: string) => string;
}

/** An answer, independent of transport. */
export interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** JSON text or bytes; null for no value; undefined output has no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** A refusal's code, and its body as an object. */
  readonly error?: { readonly code: ErrorCode; readonly body: Record<string, unknown> };
}
