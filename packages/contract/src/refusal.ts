/** Refusals: a code of the table with its message and fields, as raised, as data, and as sent. */
import { ERRORS, type ErrorCode, type ErrorDetail } from "./errors.ts";

/** A refusal as data: a code, its message and its extra fields. */
export interface Refused<C extends ErrorCode = ErrorCode> {
  readonly code: C;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A refusal raised outside a verb, by the HTTP or stream server itself. Verbs and checks use the `fail` they are given. */
export const refused = <C extends ErrorCode>(code: C, detail: Readonly<Record<string, unknown>> = {}): Refused<C> => ({
  code,
  detail,
});

/**
 * The body of a refusal.
 * @param refusal its own `message`, if it has one, takes the place of the table's
 * @returns the error's code, message, request id and fields, as sent
 */
export const refusalBody = ({ code, detail }: Refused, requestId: string): Record<string, unknown> => ({
  error: code,
  message: ERRORS[code].message,
  request_id: requestId,
  ...detail,
});

/** The plain text of an answer to an unexpected error; its details are in the log. */
export const FAULT_TEXT = "Internal Server Error";

/** Arguments of `fail` for a code: the code and, where its body adds fields, those fields. */
type FailArguments<C extends ErrorCode> = C extends ErrorCode
  ? { message?: string } extends ErrorDetail<C>
    ? [code: C, detail?: ErrorDetail<C>]
    : [code: C, detail: ErrorDetail<C>]
  : never;

/**
 * Refuses the request with one of a set of codes. The type requires the fields that the code's body adds. It is not generic, so
 * that it is assignable where fewer codes are allowed, and never where more are.
 */
export type FailWith<E extends ErrorCode> = (...refusal: FailArguments<E>) => never;
