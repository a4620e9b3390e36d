/** The errors of a stream that cannot continue. */
import { errorBrand } from "../core/brand.ts";
import { AssayError, ConnectionError } from "../core/errors.ts";

/** How the service closed a stream for good. */
export interface StreamCloseDetails {
  /** The code of the service's `error` frame; null when there was none. */
  readonly code: string | null;
  /** The WebSocket close code. */
  readonly close: number;
  /** What happened, in words. */
  readonly message: string;
  /** The refusal behind it, if that was an answer. */
  readonly cause?: unknown;
}

/** What REST answers for the same cause, as far as a close says. */
export interface RestRefusal {
  readonly status: number;
  /** Names as on the wire. */
  readonly body: Readonly<Record<string, string>> & { readonly error: string };
}

/**
 * The service closed the stream, and reconnecting would fail in the same way. Some codes have their own classes; for a cause
 * that REST also refuses, the error has REST's class, with this one as its `cause`.
 */
export class StreamClosedError extends AssayError {
  static {
    errorBrand(StreamClosedError, "StreamClosedError");
  }
  /** The code of the service's `error` frame; null when there was none. */
  readonly code: string | null;
  /** The WebSocket close code. */
  readonly close: number;

  constructor(details: StreamCloseDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.close = details.close;
  }
}

/** The connection failed more times in a row than `maxReconnects` allows. */
export class StreamLostError extends ConnectionError {
  static {
    errorBrand(StreamLostError, "StreamLostError");
  }
}

/** A name that is not followed, and why. */
export interface RejectedName {
  /** The name as sent. */
  readonly name: string;
  /** `invalid_symbol`, `plan_gated` or `too_many_symbols`. */
  readonly code: string;
}

/** The service follows none of the requested names. */
export class StreamRejectedError extends AssayError {
  static {
    errorBrand(StreamRejectedError, "StreamRejectedError");
  }
  /** Each name, and why it was rejected. */
  readonly rejected: readonly RejectedName[];

  constructor(rejected: readonly RejectedName[]) {
    super(`Nothing is left to follow: ${rejected.map(({ name, code }) => `${name} (${code})`).join(", ")}`);
    this.rejected = rejected;
  }
}
