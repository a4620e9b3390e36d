/** Answers as declared: the status and code, and the body with its content type. */
import { ERROR_CODES, ERRORS, type ErrorCode, errorBody, errorCodesOf, formatEntry, type Route } from "@assay/contract";
import { codeOf, isStream, requestedFormat } from "../wire/exchange.ts";
import { isOwnMethod, isSuccess, type Rule, type Subject } from "./rule.ts";
import { eventsIn } from "./stream.ts";
import { faultsOf } from "./strict-schema.ts";

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

const faultOf = (subject: Subject): string | null => {
  const { route, exchange } = subject;
  const { status } = exchange;
  if (isSuccess(subject) || (status === 304 && "if-none-match" in exchange.sent.headers)) return null;
  const declared = isOwnMethod(subject) ? errorCodesOf(route) : (["method_not_allowed"] satisfies ErrorCode[]);
  if (exchange.sent.method === "HEAD") {
    return declared.some((code) => ERRORS[code].status === status) ? null : `status ${status} is not declared`;
  }
  const code = codeOf(exchange);
  if (code === undefined) return `status ${status} without an error code`;
  if (!isKnown(code)) return `the code ${code} does not exist`;
  if (ERRORS[code].status !== status) return `${code} has status ${status} instead of ${ERRORS[code].status}`;
  return (declared as readonly string[]).includes(code) ? null : `the route does not declare ${code}`; // compared as text
};

export const declared: Rule = {
  title: "status and code",
  says: "a response is the route's success or one of its declared codes, with the status of that code",
  judge: (subject) => {
    const fault = faultOf(subject);
    return fault === null ? [] : [fault];
  },
};

/** An unexpected error is plain text without details. */
export const plainFault: Rule = {
  title: "500 in plain text",
  says: "an unexpected error is status 500 with the plain text Internal Server Error",
  judge: ({ exchange, route }) => {
    if (exchange.status !== 500) return null;
    const code = codeOf(exchange);
    if (code !== undefined && (errorCodesOf(route) as readonly string[]).includes(code)) return []; // compared as text
    const kind = exchange.headers.get("content-type") ?? "none";
    const faults = kind.startsWith("text/plain") ? [] : [`a 500 has the content type ${kind}`];
    return exchange.text.trim() === "Internal Server Error" ? faults : [...faults, "a 500 says more than Internal Server Error"];
  },
};

const ERROR_BODIES = new Map(ERROR_CODES.map((code) => [code as string, errorBody(code)]));
const JSON_TYPE = "application/json";
const JSON_KIND = /^application\/json(; ?charset=utf-8)?$/i;
const RECEIPT = /^(?:[A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]+$/;
const BODILESS: ReadonlySet<number> = new Set([204, 304, 307]);

/** The type of a route's success; a page has one of its own. */
const ownType = ({ success: { mediaType } }: Route): string =>
  mediaType === undefined ? JSON_TYPE : `${mediaType}; charset=utf-8`;

const hasBody = ({ exchange }: Subject): boolean => exchange.sent.method !== "HEAD" && !BODILESS.has(exchange.status);

const bodyFaults = (subject: Subject): string[] => {
  const { route, exchange } = subject;
  if (isSuccess(subject)) {
    // Compared with the JSON answer by a check of its own.
    const format = requestedFormat(route, exchange);
    if (format === "jws") return RECEIPT.test(exchange.text) ? [] : ["it is not a compact JWS"];
    if (format) return /^$|\n$/.test(exchange.text) ? [] : ["the last line has no line break at its end"];
    if (ownType(route) !== JSON_TYPE) return faultsOf(route.output, exchange.text);
    const json = isStream(exchange) ? eventsIn(exchange).find(({ type }) => type === "tick") : exchange.json;
    if (json === undefined) return isStream(exchange) ? [] : ["the body is not JSON"];
    return faultsOf(route.output, json);
  }
  const expected = ERROR_BODIES.get(codeOf(exchange) ?? "");
  return expected ? faultsOf(expected, exchange.json) : [];
};

/** Every field is declared, and every declared one is valid: money as plain decimal text, instants in UTC with a Z. */
export const body: Rule = {
  title: "body",
  says: "every field is declared and has its declared form: money is plain decimal text, times end in Z",
  judge: (subject) => (hasBody(subject) ? bodyFaults(subject) : subject.exchange.text === "" ? [] : ["there is a body"]),
};

/** JSON has a JSON content type, and every other format its own. */
export const contentType: Rule = {
  title: "content type",
  says: "JSON is sent as application/json, another format as its own type, a stream as text/event-stream; none is to be guessed",
  judge: (subject) => {
    const { route, exchange } = subject;
    if (!hasBody(subject) || exchange.status === 500 || (isSuccess(subject) && isStream(exchange))) return null;
    const kind = exchange.headers.get("content-type");
    const format = isSuccess(subject) ? requestedFormat(route, exchange) : undefined;
    const own = format ? formatEntry(format).contentType : isSuccess(subject) ? ownType(route) : JSON_TYPE;
    const isOwn = own === JSON_TYPE ? kind !== null && JSON_KIND.test(kind) : kind === own;
    const guess = exchange.headers.get("x-content-type-options");
    return [
      ...(isOwn ? [] : [`the content type is ${kind ?? "missing"}, not ${own}`]),
      ...(guess === "nosniff" ? [] : [`X-Content-Type-Options is ${guess ?? "missing"}`]),
    ];
  },
};

/** A redirect says where to. */
export const location: Rule = {
  title: "Location",
  says: "a redirect names another place",
  judge: ({ exchange }) => {
    if (exchange.status !== 307) return null;
    const place = exchange.headers.get("location");
    return place !== null && /^(https?:\/)?\//.test(place) ? [] : [`Location is ${place ?? "missing"}`];
  },
};
