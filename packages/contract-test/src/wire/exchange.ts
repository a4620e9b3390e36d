/** One request as sent, and the answer, fully read. */
import type { Caller } from "./caller.ts";

/** A request, ready to be sent. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly caller: Caller;
}

/** An answer and the request behind it. */
export interface Exchange {
  readonly sent: Sent;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** When it was sent and when it was read, epoch milliseconds of this machine. */
  readonly sentAtMs: number;
  readonly readAtMs: number;
}

/** A check that cannot be run; the reason is reported, and it does not count as failed. */
export class NotChecked extends Error {
  override readonly name = "NotChecked";
}

/** The service did not answer a request at all. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The service did not answer several times in a row: nothing more can be checked. */
export class Gone extends NotChecked {
  /** The error of the last request. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the service stopped responding: ${reason}`);
    this.reason = reason;
  }
}

/** The fields of a body that is an object; empty for any other. */
export const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {}; // an object, checked above

/** The error code of an answer; undefined when it has none. */
export const codeOf = ({ json }: Pick<Exchange, "json">): string | undefined => {
  const { error } = fieldsOf(json);
  return typeof error === "string" ? error : undefined;
};
