/**
 * One request, its answer, and the steps between them: they end at once or later, with a value or a refusal. Only here are
 * refusals thrown and caught.
 */
import type { EncodedBody, ErrorCode, ErrorDetail, FailWith, Format, Refused, SuppliedKey } from "@assay/contract";
import type { Allowance, LimitCode } from "./access/allowance.ts";
import type { Caller } from "./context.ts";

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
  /** What the transport calls its parameters, where it is not by their place in a request over HTTP; issues name it. */
  readonly parametersIn?: "input" | "arguments";
  /** What the answer is written in; undefined is JSON. Called once the input was read. */
  readonly format?: () => Format | undefined;
  /** The address of another page of the same request. */
  readonly pageLink?: (cursor: string) => string;
}

/** An answer, independent of transport. */
export interface Outcome {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** What is sent; null for no value, and undefined output has no body. */
  readonly body: EncodedBody | null;
  /** A refusal's code, and its body as an object. */
  readonly error?: { readonly code: ErrorCode; readonly body: Record<string, unknown> };
}

export interface Progress {
  readonly call: Call;
  readonly nowMs: number;
  /** The windows it was counted against, whether admitted or refused. */
  allowance: Allowance | undefined;
}

/** Runs the next step, at once when the value is here: a promise would cost more than all checks of a request together. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** A refusal, with the windows it was counted against when a limit refused. */
export interface Counted extends Refused {
  readonly allowance: Allowance | undefined;
}

/**
 * How a refusal leaves a verb or a check. Private to this file, so that code can refuse only with the codes its `fail` accepts.
 */
class Refusal extends Error implements Counted {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly allowance: Allowance | undefined;
  constructor(code: ErrorCode, detail: Readonly<Record<string, unknown>> = {}, allowance?: Allowance) {
    super(code);
    this.code = code;
    this.detail = detail;
    this.allowance = allowance;
  }
}

/** Refuses with any code. Callees get a narrower type: a verb its route's codes, a check its own. */
export type FailAny = FailWith<ErrorCode>;

const fail: FailAny = (...[code, detail]) => {
  throw new Refusal(code, { ...detail });
};

/** Refuses over a limit, with the windows the request was counted against, which the answer's headers report. */
export type FailCounted = (code: LimitCode, detail: ErrorDetail<LimitCode>, allowance: Allowance) => never;

const failCounted: FailCounted = (code, detail, allowance) => {
  throw new Refusal(code, { ...detail }, allowance);
};

const rethrow = (error: unknown): never => {
  throw error;
};

/**
 * Runs code that may refuse. Returns the value synchronously when no promise is involved.
 * @param run receives `fail`, and the `fail` of limits
 * @param refused maps a refusal to a result
 * @param failed maps another error to a result; by default it propagates
 */
export const attempt = <T>(
  run: (fail: FailAny, failCounted: FailCounted) => T | Promise<T>,
  refused: (refusal: Counted) => T | Promise<T>,
  failed: (error: unknown) => T | Promise<T> = rethrow,
): T | Promise<T> => {
  const caught = (error: unknown): T | Promise<T> => (error instanceof Refusal ? refused(error) : failed(error));
  try {
    const value = run(fail, failCounted);
    return value instanceof Promise ? value.catch(caught) : value;
  } catch (error) {
    return caught(error);
  }
};
