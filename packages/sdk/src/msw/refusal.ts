/** A refusal thrown by a mock, and its answer. */
import { mockErrors } from "../generated/mocks.ts";
import type { Code } from "./mock-route.ts";

/** What `fail` throws. */
export class Refusal extends Error {
  readonly code: Code;
  readonly detail: Readonly<Record<string, unknown>>;

  /**
   * @param code one of the route's codes
   * @param detail fields of the body, and a message to replace the default one
   */
  constructor(code: Code, detail: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

/** Headers the service adds to a refusal, depending on its body. */
const headersOf = ({ code, detail }: Refusal): Record<string, string> => {
  const seconds = detail.retry_after_seconds;
  const { status } = mockErrors[code];
  return {
    ...(typeof seconds === "number" ? { "retry-after": String(seconds) } : status === 503 ? { "retry-after": "1" } : {}),
    ...(code === "quota_exceeded" ? { "x-should-retry": "false" } : {}),
  };
};

/** The answer of a refusal. */
export const refusalResponse = (
  refusal: Refusal,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const { status, message } = mockErrors[refusal.code];
  const body = { error: refusal.code, message, request_id: requestId, ...refusal.detail };
  return Response.json(body, {
    status,
    headers: { "x-request-id": requestId, "cache-control": "no-store", ...headersOf(refusal), ...headers },
  });
};
