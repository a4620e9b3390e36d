/** Creates the errors of answers: failed ones, from the service or from something in between, and unreadable successes. */

import { ApiError, type ApiErrorDetails, type ErrorRegistry, Http5xxError, UnreadableAnswerError } from "./errors.ts";
import { isRecord } from "./is-record.ts";

/**
 * Reads the request id of an answer.
 * @param headers the response headers
 * @returns null when there is none
 */
export const requestIdOf = (headers: Headers): string | null => headers.get("x-request-id");

/**
 * Method and path of a request.
 * @param method the HTTP method
 * @param url the whole URL
 * @returns for example `GET /v1/spot/XAU`
 */
export const requestLine = (method: string, url: string): string => `${method} ${url.replace(/^[a-z]+:\/\/[^/]*|\?.*$/g, "")}`;

/** The suffix of an error's message, such as ` (GET /v1/spot/XAU, request r-1)`; empty when nothing is known. */
const whichRequest = (line: string, requestId: string | null): string => {
  const parts = [line, requestId === null ? "" : `request ${requestId}`].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
};

/** Seconds to wait by `Retry-After`, a number or an HTTP date: 0 for a date that has passed, null when missing or invalid. */
const readRetryAfter = (headers: Headers, nowMs: number): number | null => {
  const text = headers.get("retry-after")?.trim();
  if (text === undefined || text === "") return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // An HTTP date starts with the name of a day; Date would guess at anything else.
  const dateMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
};

const EXCERPT_LENGTH = 120;
/** Only this much is examined: a page may be of any size. */
const LOOKED_AT = 4_096;

/** A short excerpt of a body that is not from the service: a page's title, else its text without tags, on one line. */
const excerpt = (text: string): string => {
  const head = text.slice(0, LOOKED_AT);
  const title = /<title[^>]*>([^<]*)/i.exec(head)?.[1]?.trim();
  const plain = (title || head.replace(/<(style|script)[^>]*>[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*(>|$)/g, " "))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return plain.length > EXCERPT_LENGTH ? `${plain.slice(0, EXCERPT_LENGTH - 1)}…` : plain;
};

/**
 * Creates the error of a success that cannot be read.
 * @param response the head
 * @param text the body, with secrets removed
 * @param fault what is wrong with it, as in "is not complete JSON"
 * @param line method and path of the request
 */
export const unreadable = (response: Response, text: string, fault: string, line: string): UnreadableAnswerError => {
  const requestId = requestIdOf(response.headers);
  const quoted = excerpt(text);
  const type = response.headers.get("content-type")?.split(";")[0];
  return new UnreadableAnswerError({
    status: response.status,
    code: null,
    message: `The answer ${fault}: status ${response.status}, ${type ?? "no content type"}${quoted === "" ? ", empty" : `, “${quoted}”`}${whichRequest(line, requestId)}`,
    requestId,
    retryAfterSeconds: null,
    body: null,
    headers: response.headers,
  });
};

const MOST_ISSUES = 3;

const readBody = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : null;
  } catch {
    return null;
  }
};

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The issues of refused parameters, in words; empty when there are none. */
const issuesOf = (body: Readonly<Record<string, unknown>>): string => {
  const issues: unknown[] = Array.isArray(body.issues) ? body.issues : [];
  return issues
    .slice(0, MOST_ISSUES)
    .filter(isRecord)
    .map(({ path, message }) => ` ${Array.isArray(path) ? path.join(".") : ""}: ${textOf(message) ?? ""}.`)
    .join("");
};

/** What the body suggests to do, in words. */
const adviceOf = (body: Readonly<Record<string, unknown>>): string => {
  const hint = textOf(body.hint);
  const tier = textOf(body.required_tier);
  return `${hint === null ? "" : ` ${hint}`}${tier === null ? "" : ` It needs the tier ${tier}.`}`;
};

/** Only the origin: a link may contain a signature. */
const redirectOf = (response: Response): string => {
  const location = response.headers.get("location");
  const base = response.url || undefined; // empty on a Response created by hand
  const target = location !== null && URL.canParse(location, base) ? new URL(location, base) : null;
  return `a redirect${target === null ? "" : ` to ${target.origin}`}, which is not followed, so that the key is not sent elsewhere; check baseUrl`;
};

const describe = (response: Response, text: string, body: ApiErrorDetails["body"]): string => {
  const message = body === null ? null : textOf(body.message);
  if (body !== null && message !== null) return `${message}${issuesOf(body)}${adviceOf(body)}`;
  if ((response.status >= 300 && response.status < 400) || response.type === "opaqueredirect") return redirectOf(response);
  const quoted = excerpt(text);
  if (quoted === "") return `${response.statusText || "an error"} without a body`;
  const type = response.headers.get("content-type")?.split(";")[0];
  return type === undefined || type === "text/plain" || body !== null ? quoted : `${type}, “${quoted}”`;
};

/**
 * Creates the error of a failed answer.
 * @param response the head
 * @param text the body, with secrets removed
 * @param registry the class for each code and status
 * @param nowMs now, epoch milliseconds, for a date in `Retry-After`
 * @param line method and path of the request; empty when they add nothing
 * @returns an error of the code's class, else the status's, else `ApiError`
 */
export const errorFrom = (response: Response, text: string, registry: ErrorRegistry, nowMs: number, line = ""): ApiError => {
  const body = readBody(text);
  const code = body === null ? null : textOf(body.error);
  const requestId = requestIdOf(response.headers) ?? (body === null ? null : textOf(body.request_id));
  const inBody = body?.retry_after_seconds;
  const label = code === null ? `${response.status}` : `${response.status} ${code}`;
  const details: ApiErrorDetails = {
    status: response.status,
    code,
    message: `${label}: ${describe(response, text, body)}${whichRequest(line, requestId)}`,
    requestId,
    retryAfterSeconds: readRetryAfter(response.headers, nowMs) ?? (typeof inBody === "number" ? inBody : null),
    body,
    headers: response.headers,
  };
  // hasOwn: a code such as `toString` must not match an inherited property.
  const ofCode = code !== null && Object.hasOwn(registry.byCode, code) ? registry.byCode[code] : undefined;
  const Chosen = ofCode ?? registry.byStatus[response.status] ?? (response.status >= 500 ? Http5xxError : ApiError);
  return new Chosen(details);
};
