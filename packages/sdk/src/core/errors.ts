/** The errors of a call, except for the classes of single codes, which are generated. */
import type { ErrorCode, Open } from "../generated/values.ts";
import { errorBrand } from "./brand.ts";

/** The base of every error this client raises about a call. */
export class AssayError extends Error {
  static {
    errorBrand(AssayError, "AssayError");
  }
}

/** What is known about a failed answer. */
export interface ApiErrorDetails {
  /** HTTP status. */
  readonly status: number;
  /** The wire's error code; null when the answer has none, as from a failing proxy. */
  readonly code: string | null;
  /** What happened, in words. */
  readonly message: string;
  /** The request id to give to the operator; null when the answer has none. */
  readonly requestId: string | null;
  /** Seconds the service asks to wait; null when it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The JSON object in the answer, with wire names; null when there was none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The response headers. */
  readonly headers: Headers;
  /** The cause, when there was no answer. */
  readonly cause?: unknown;
}

/** The service returned an error, or a proxy in between did. */
export class ApiError extends AssayError {
  static {
    errorBrand(ApiError, "ApiError");
  }
  /** HTTP status. */
  readonly status: number;
  /** The wire's error code; null when the answer has none. */
  readonly code: Open<ErrorCode> | null;
  /** The request id to give to the operator; null when the answer has none. */
  readonly requestId: string | null;
  /** Seconds the service asks to wait; null when it does not say. */
  readonly retryAfterSeconds: number | null;
  /** The JSON object in the answer, with wire names; null when there was none. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** Hidden when a console prints the error. */
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

  /** Seconds the service asks to wait, the same as `retryAfterSeconds`; null when it does not say. */
  get retryAfter(): number | null {
    return this.retryAfterSeconds;
  }

  /** The response headers. */
  get headers(): Headers {
    return this.#headers;
  }
}

/** The service, or a proxy in between, failed: any status of 500 or above. */
export class Http5xxError extends ApiError {
  static {
    errorBrand(Http5xxError, "Http5xxError");
  }
}

/** A success that cannot be read: not JSON, truncated, or not of the contract's shape. */
export class UnreadableAnswerError extends ApiError {
  static {
    errorBrand(UnreadableAnswerError, "UnreadableAnswerError");
  }
}

/** There was no answer: the connection failed or broke. `cause` holds the runtime's error. */
export class ConnectionError extends AssayError {
  static {
    errorBrand(ConnectionError, "ConnectionError");
  }
}

/** No complete answer arrived within the time limit of one attempt. */
export class RequestTimeoutError extends ConnectionError {
  static {
    errorBrand(RequestTimeoutError, "RequestTimeoutError");
  }
}

/** The caller's signal aborted the call. `cause` holds the signal's reason. */
export class RequestAbortedError extends AssayError {
  static {
    errorBrand(RequestAbortedError, "RequestAbortedError");
  }
}

/** A file could not be fetched completely: its link was refused, it was truncated, or its checksum does not match. */
export class DownloadError extends AssayError {
  static {
    errorBrand(DownloadError, "DownloadError");
  }
}

/** A class created from an error answer. */
export type ErrorClass = new (details: ApiErrorDetails) => ApiError;

/** The class for each answer: the code's, else the status's, else `Http5xxError` or `ApiError`. */
export interface ErrorRegistry {
  /** By wire code. */
  readonly byCode: Readonly<Record<string, ErrorClass>>;
  /** By HTTP status. */
  readonly byStatus: Readonly<Record<number, ErrorClass>>;
}

/**
 * Files classes by their names: `Http404Error` by its status, `PlanGatedError` by the code `plan_gated`, `StorageError` also by
 * `storage_error`.
 * @param classes each with its name on its prototype
 */
export const registryOf = (classes: readonly ErrorClass[]): ErrorRegistry => {
  const byCode: Record<string, ErrorClass> = {};
  const byStatus: Record<number, ErrorClass> = {};
  for (const each of classes) {
    const { name }: { name: string } = each.prototype;
    const code = name.replace(/\B[A-Z]/g, "_$&").toLowerCase();
    if (name.startsWith("Http")) byStatus[Number(name.slice(4, 7))] = each;
    byCode[code] = each;
    byCode[code.replace(/_error$/, "")] = each;
  }
  return { byCode, byStatus };
};

/**
 * Parses an instant that may be missing.
 * @param value the field's value, ISO-8601 text in an answer of the service
 * @returns null when it is missing or not an instant
 */
export const instantOf = (value: unknown): Date | null => {
  const instant = new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(instant.getTime()) ? null : instant;
};
