/** The only place where refusals are thrown and caught: code refuses only through the `fail` it is given. */
import type { ErrorCode, FailWith, Refused } from "@assay/contract";
import type { Allowance, FailCounted } from "./access/limits.ts";

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

const failCounted: FailCounted = (code, detail, allowance) => {
  throw new Refusal(code, { ...detail }, allowance);
};

const caught = <T>(error: unknown, otherwise: (refused: Counted, again: () => never) => T): T => {
  const again = (): never => {
    throw error;
  };
  return error instanceof Refusal ? otherwise(error, again) : again();
};

/**
 * Runs code that may refuse. Returns the value synchronously when no promise is involved.
 * @param run receives `fail`, and the `fail` of limits
 * @param otherwise maps a refusal to a result, or calls `again` to rethrow it; other errors propagate
 */
export const attempt = <T>(
  run: (fail: FailAny, failCounted: FailCounted) => T | Promise<T>,
  otherwise: (refused: Counted, again: () => never) => T | Promise<T>,
): T | Promise<T> => {
  try {
    const value = run(fail, failCounted);
    return value instanceof Promise ? value.catch((error: unknown) => caught(error, otherwise)) : value;
  } catch (error) {
    return caught(error, otherwise);
  }
};
