/** What an answer should be, and whether it is. */
import { ERRORS, errorCodesOf, formatEntry, type Route } from "@assay/contract";
import type { Expectation } from "@assay/testkit/wire";
import type { Tell } from "./report/recorder.ts";
import { askedFormat } from "./wire/asked-format.ts";
import { codeOf, type Exchange, fieldsOf } from "./wire/exchange.ts";

const inWords = (route: Route, expected: Expectation): string => {
  if (expected === "success")
    return `status ${route.success.status}${BODILESS.has(route.success.status) ? "" : " with the declared body"}`;
  const fields = Object.entries(expected.fields ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [`status ${ERRORS[expected.code].status} ${expected.code}`, ...fields].join(", ");
};

const BODILESS: ReadonlySet<number> = new Set([204, 307]);

/**
 * Whether an answer is the route's success: its status, and JSON, a stream or the requested format if it has a body. The body
 * rule checks the content.
 */
const isSuccess = (route: Route, exchange: Exchange): boolean => {
  const { status, json, headers } = exchange;
  if (status !== route.success.status) return false;
  const format = askedFormat(route, exchange);
  if (format) return headers.get("content-type") === formatEntry(format).contentType;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  return BODILESS.has(status) || isStream || json !== undefined;
};

/** Whether an answer matches the expectation. */
export const meets = (route: Route, exchange: Exchange, expected: Expectation): boolean => {
  if (expected === "success") return isSuccess(route, exchange);
  const body = fieldsOf(exchange.json);
  return (
    exchange.status === ERRORS[expected.code].status &&
    codeOf(exchange) === expected.code &&
    Object.entries(expected.fields ?? {}).every(([name, value]) => body[name] === value)
  );
};

/** Describes an answer: its status, and its code or else its content type. */
export const answered = (exchange: Exchange): string => {
  const kind = exchange.json === undefined ? exchange.headers.get("content-type") : undefined;
  return `${exchange.status} ${codeOf(exchange) ?? kind ?? ""}`.trim();
};

/** Whether an answer is the route's success or one of the refusals it declares. */
export const isDeclared = (route: Route, exchange: Exchange): boolean =>
  meets(route, exchange, "success") || errorCodesOf(route).some((code) => meets(route, exchange, { code }));

/**
 * Reports an answer that does not match the expectation.
 * @param why the reason for the expectation
 */
export const expectAnswer = (tell: Tell, route: Route, exchange: Exchange, expected: Expectation, why: string): boolean => {
  const isMet = meets(route, exchange, expected);
  if (!isMet) {
    tell(
      `answered ${answered(exchange)} instead of ${inWords(route, expected)}`,
      `${inWords(route, expected)}: ${why}`,
      exchange,
    );
  }
  return isMet;
};

/** What a route's minimal request should get: success, or the route's 404 when it deletes something that does not exist. */
export const plainExpectation = (route: Route): Expectation => {
  if (route.method !== "DELETE") return "success";
  return { code: route.errors.find((code) => ERRORS[code].status === 404) ?? "not_found" };
};
