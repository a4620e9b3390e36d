/** What a call can fail with, apart from the classes of single codes, which are generated. */
import type { ErrorCode, Open } from "../generated/values.ts";
import { errorBrand } from "./brand.ts";

/** The base of every error this client raises about a call. */
export class AssayError extends Error {
  static {
    errorBrand(AssayError, "AssayError");
  }
}

/** What is known about an answer that is no success. */
export interface ApiErrorDetails {
  /** HTTP status. */
  readonly status: number;
  /** The wire's error code; null where the answer names none, as behind a failing proxy. */
  readonly code: string | null;
  /** What happened, in words. */
  readonly message: string;
  /** The request id to name to the operator; null where the answer has none. */
  readonly requestId: string | null;
  /** Seconds the service asks to wait; null where it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The JSON object answered, names as on the wire; null where there was none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The answer's headers. */
  readonly headers: Headers;
  /** What it was seen by, where that was no answer. */
  readonly cause?: unknown;
}

/** The service answered with an error, or with something that is no answer of it. */
export class ApiError extends AssayError {
  static {
    errorBrand(ApiError, "ApiError");
  }
  /** HTTP status. */
  readonly status: number;
  /** The wire's error code; null where the answer names none. */
  readonly code: Open<ErrorCode> | null;
  /** The request id to name to the operator; null where the answer has none. */
  readonly requestId: string | null;
  /** Seconds the service asks to wait; null where it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The JSON object answered, names as on the wire; null where there was none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Kept out of what a console prints of the error. */
  readonly #headers: Headers;

  constructor(details: ApiErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.body = details.body;
    this.#headers = details.headers;
  }

  /** Seconds the service asks to wait, the same as `retryAfterSeconds`; null where it does not say. */
  get retryAfter(): number | null {
    return this.retryAfterSeconds;
  }

  /** The answer's headers. */
  get headers(): Headers {
    return this.#headers;
  }
}

/** The fault lies with the service, or with something in between: any status from 500 up. */
export class Http5xxError extends ApiError {
  static {
    errorBrand(Http5xxError, "Http5xxError");
  }
}

/** A success that cannot be read: no JSON, cut short, or of another form than the contract has. */
export class UnreadableAnswerError extends ApiError {
  static {
    errorBrand(UnreadableAnswerError, "UnreadableAnswerError");
  }
}

/** No answer came: the connection could not be made, or broke. `cause` holds what the runtime said. */
export class ConnectionError extends AssayError {
  static {
    errorBrand(ConnectionError, "ConnectionError");
  }
}

/** No whole answer came in the time allowed for one try. */
export class RequestTimeoutError extends ConnectionError {
  static {
    errorBrand(RequestTimeoutError, "RequestTimeoutError");
  }
}

/** The caller's signal ended the call. `cause` holds the signal's reason. */
export class RequestAbortedError extends AssayError {
  static {
    errorBrand(RequestAbortedError, "RequestAbortedError");
  }
}

/** A file could not be fetched whole: its link was refused, it came short, or its checksum is another. */
export class DownloadError extends AssayError {
  static {
    errorBrand(DownloadError, "DownloadError");
  }
}

/** A class made from an error answer. */
export type ErrorClass = new (details: ApiErrorDetails) => ApiError;

/** Which class stands for which answer: the code's, else the status's, else `Http5xxError` or `ApiError`. */
export interface ErrorRegistry {
  /** By wire code. */
  readonly byCode: Readonly<Record<string, ErrorClass>>;
  /** By HTTP status. */
  readonly byStatus: Readonly<Record<number, ErrorClass>>;
}
