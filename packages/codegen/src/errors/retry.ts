/** What the status of a code means to a client: its reason phrase, whether to retry, and the headers that say so. */
import { STATUS_CODES } from "node:http";
import { ERRORS, type ErrorCode, type ErrorEntry } from "@assay/contract";
import { errorExample } from "../openapi/error-schemas.ts";

/** The reason phrase of a status. */
export const PHRASES: Readonly<Record<number, string | undefined>> = STATUS_CODES;

/** Whether the same request may succeed later. */
interface Retry {
  readonly helps: "no" | "after `Retry-After`" | "after a while";
  readonly words: string;
}

const NO: Retry = {
  helps: "no",
  words: "No. The request fails again unless you change it or use another key.",
};
const AFTER_WAIT: Retry = {
  helps: "after `Retry-After`",
  words: "Yes, after `Retry-After` seconds. Add random jitter, so that many clients do not retry at the same moment.",
};
const AFTER_A_WHILE: Retry = { helps: "after a while", words: "Perhaps, with increasing delays between attempts." };
const NOT_THIS_MONTH: Retry = {
  helps: "no",
  words: "No: `X-Should-Retry` is `false`. `Retry-After` is the number of seconds until the next UTC month begins.",
};

/** Whether a retry helps after a code. */
export const retryOf = (code: ErrorCode): Retry => {
  if (code === "quota_exceeded") return NOT_THIS_MONTH;
  const { status }: ErrorEntry = ERRORS[code];
  return status === 429 || status === 503 ? AFTER_WAIT : status === 500 ? AFTER_A_WHILE : NO;
};

/** Headers a client reads to decide, with values that match the body's example. */
export const headersOf = (code: ErrorCode): Readonly<Record<string, string>> => {
  const { status }: ErrorEntry = ERRORS[code];
  const example = errorExample(code);
  const wait = example["retry_after_seconds"];
  return {
    "Cache-Control": "no-store",
    "X-Request-Id": String(example["request_id"]),
    ...(status === 401 ? { "WWW-Authenticate": 'Bearer realm="assay"' } : {}),
    ...(status === 405 ? { Allow: "GET, HEAD" } : {}),
    ...(status === 429 || status === 503 ? { "Retry-After": typeof wait === "number" ? String(wait) : "5" } : {}),
    ...(status === 429 ? limitHeaders(example) : {}),
    ...(code === "quota_exceeded" ? { "X-Should-Retry": "false" } : {}),
  };
};

/** The exhausted window, as in its headers. */
const limitHeaders = ({ limit, reset_at: resetAt }: { [field: string]: unknown }): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset": String(Date.parse(String(resetAt)) / 1000),
});
