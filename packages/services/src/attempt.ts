/** The only place where refusals are thrown and caught: code refuses only through the `fail` it is given. */
import type { ErrorCode, FailWith, Refused } from "@assay/contract";

/**
 * How a refusal leaves a verb or a check. Private to this file, so that code can refuse only with the codes its `fail` accepts.
 */
class Refusal extends Error implements Refused {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly detail: Readonly<Record<string, unknown>>;
  constructor(code: ErrorCode, detail: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

/** Refuses with any code. Callees get a narrower type: a verb its route's codes, a check its own. */
export type FailAny = FailWith<ErrorCode>;

const fail: FailAny = (...[code, detail]) => {
  throw new Refusal(code, { ...detail });
};

/**
 * Runs code that may refuse. Returns the value synchronously when no promise is involved.
 * @param run receives `fail`
 * @param otherwise maps a refusal to a result, or calls `again` to rethrow it; other errors propagate
 */
export const attempt = <T>(
  run: (fail: FailAny) => T | Promise<T>,
  otherwise: (refused: Refused, again: () => never) => T | Promise<T>,
): T | Promise<T> => {
  const caught = (error: unknown): T | Promise<T> => {
    const again = (): never => {
      throw error;
    };
    return error instanceof Refusal ? otherwise(error, again) : again();
  };
  try {
    const value = run(fail);
    return value instanceof Promise ? value.catch(caught) : value;
  } catch (error) {
    return caught(error);
  }
};
