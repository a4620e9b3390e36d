/** What an answer ought to be, and whether it is. */
import { ERRORS, type ErrorCode, type Route } from "@assay/contract";
import type { Tell } from "./report/recorder.ts";
import { codeOf, type Exchange, fieldsOf } from "./wire/exchange.ts";

/** The answer a request ought to get: the route's success, or a refusal with some fields. */
export type Expectation = "success" | { readonly code: ErrorCode; readonly fields?: Readonly<Record<string, unknown>> };

const inWords = (route: Route, expected: Expectation): string => {
  if (expected === "success") return `status ${route.success.status}`;
  const fields = Object.entries(expected.fields ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [`status ${ERRORS[expected.code].status} ${expected.code}`, ...fields].join(", ");
};

/** Whether an answer is what it ought to be. */
export const meets = (route: Route, exchange: Exchange, expected: Expectation): boolean => {
  if (expected === "success") return exchange.status === route.success.status;
  const body = fieldsOf(exchange.json);
  return (
    exchange.status === ERRORS[expected.code].status &&
    codeOf(exchange) === expected.code &&
    Object.entries(expected.fields ?? {}).every(([name, value]) => body[name] === value)
  );
};

/**
 * Tells of an answer that is not what it ought to be.
 * @param why why it ought to be so
 */
export const expectAnswer = (tell: Tell, route: Route, exchange: Exchange, expected: Expectation, why: string): boolean => {
  const isMet = meets(route, exchange, expected);
  if (!isMet) {
    const answered = `${exchange.status} ${codeOf(exchange) ?? ""}`.trim();
    tell(`answered ${answered} instead of ${inWords(route, expected)}`, `${inWords(route, expected)}: ${why}`, exchange);
  }
  return isMet;
};

/** What the plainest request of a route ought to get: success, or where something is deleted that is not there, the route's 404. */
export const plainExpectation = (route: Route): Expectation => {
  if (route.method !== "DELETE") return "success";
  return { code: route.errors.find((code) => ERRORS[code].status === 404) ?? "not_found" };
};
