/** The answer to a refused request. */
import { ERRORS, type Refused } from "@assay/contract";
import type { Outcome } from "./call.ts";

/** The Retry-After of a 503 that does not set its own. */
const RETRY_AFTER_SECONDS = "5";
const RETRIABLE: ReadonlySet<number> = new Set([429, 503]);

/** Answers a refusal with the message from the error table and the code's own fields. */
export const refusalOutcome = (
  refusal: Refused,
  requestId: string,
  headers: Record<string, string> = {},
): Outcome & { error: NonNullable<Outcome["error"]> } => {
  const entry = ERRORS[refusal.code];
  const body = { error: refusal.code, message: entry.message, request_id: requestId, ...refusal.detail };
  const all: Record<string, string> = {
    "Content-Type": "application/json",
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  };
  if (RETRIABLE.has(entry.status)) {
    const { retry_after_seconds: wait } = refusal.detail;
    all["Retry-After"] = typeof wait === "number" ? String(wait) : RETRY_AFTER_SECONDS;
  }
  if (refusal.code === "quota_exceeded") all["X-Should-Retry"] = "false";
  if (entry.status === 401) all["WWW-Authenticate"] = 'Bearer realm="assay"';
  return { status: entry.status, headers: all, body: JSON.stringify(body), error: { code: refusal.code, body } };
};
