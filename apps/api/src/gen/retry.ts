/** What the status of a code means to a client: its phrase, whether a retry helps, and the headers that tell. */
import { STATUS_CODES } from "node:http";
import { ERRORS, type ErrorCode, type ErrorEntry } from "@assay/contract";
import { errorExample } from "../openapi/error-schemas.ts";

/** The phrase of a status line. */
export const PHRASES: Readonly<Record<number, string | undefined>> = STATUS_CODES;

/** Whether the same request may succeed later. */
interface Retry {
  readonly helps: "no" | "after `Retry-After`" | "after a while";
  readonly words: string;
}

const NO: Retry = {
  helps: "no",
  words: "No. The same request gets the same answer until something in it, or about its key, changes.",
};
const AFTER_WAIT: Retry = {
  helps: "after `Retry-After`",
  words: "Yes, after the seconds in `Retry-After`. Add a little random time, so that many clients do not come back at once.",
};
const AFTER_A_WHILE: Retry = { helps: "after a while", words: "Perhaps, after a while, with growing pauses between tries." };
const NOT_THIS_MONTH: Retry = {
  helps: "no",
  words: "No: `X-Should-Retry` is `false`. `Retry-After` counts to the next UTC month, which is too long to wait in a request.",
};

/** Whether a retry helps after a code. */
export const retryOf = (code: ErrorCode): Retry => {
  if (code === "quota_exceeded") return NOT_THIS_MONTH;
  const { status }: ErrorEntry = ERRORS[code];
  return status === 429 || status === 503 ? AFTER_WAIT : status === 500 ? AFTER_A_WHILE : NO;
};

/** The headers by which a client can tell, with values that agree with the example of the body. */
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

/** The window that is used up, as its headers tell it. */
const limitHeaders = ({ limit, reset_at: resetAt }: { [field: string]: unknown }): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset": String(Date.parse(String(resetAt)) / 1000),
});
