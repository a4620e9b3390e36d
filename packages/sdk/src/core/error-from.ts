/** Creates the error of a failed answer, whether from the service or from something in between. */
import { ApiError, type ApiErrorDetails, type ErrorRegistry, Http5xxError } from "./errors.ts";
import { excerpt } from "./excerpt.ts";
import { isRecord } from "./is-record.ts";
import { requestIdOf } from "./request-id.ts";
import { whichRequest } from "./request-line.ts";
import { readRetryAfter } from "./retry-after.ts";

const ISSUES_TOLD = 3;

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
    .slice(0, ISSUES_TOLD)
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
  const told = body === null ? null : textOf(body.message);
  if (body !== null && told !== null) return `${told}${issuesOf(body)}${adviceOf(body)}`;
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
