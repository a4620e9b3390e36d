/** What an answer should be, and whether it is. */
import { ERRORS, errorCodesOf, formatEntry, type Route } from "@assay/contract";
import { idOf } from "../inputs/parameters.ts";
import { codeOf, type Exchange, fieldsOf, isStream, requestedFormat } from "../wire/exchange.ts";
import type { Expectation } from "./outcomes.ts";

export const inWords = (route: Route, expected: Expectation): string => {
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
  const format = requestedFormat(route, exchange);
  if (format) return headers.get("content-type") === formatEntry(format).contentType;
  const isPage = route.success.mediaType !== undefined;
  return BODILESS.has(status) || isStream(exchange) || isPage || exchange.sent.method === "HEAD" || json !== undefined;
};

export const meets = (route: Route, exchange: Exchange, expected: Expectation): boolean => {
  if (expected === "success") return isSuccess(route, exchange);
  if (exchange.sent.method === "HEAD") return exchange.status === ERRORS[expected.code].status;
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
 * What a route's minimal request should get: success, or the 404 of what it names, as `key_not_found` for `key_id`.
 * @param isReal whether that exists
 */
export const plainExpectation = (route: Route, isReal: boolean): Expectation => {
  const id = idOf(route);
  if (id === undefined || isReal) return "success";
  const missing = id.replace(/_id$/, "_not_found");
  return { code: route.errors.find((code) => code === missing) ?? "not_found" };
};
