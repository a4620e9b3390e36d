/** One request and its answer, with the checks that apply to every answer. */
import { ERRORS, type ErrorCode, errorBody, errorCodesOf, type Route } from "@assay/contract";
import { expect } from "vitest";
import { requestBody, requestPath } from "../wire/request-path.ts";
import { faultsOf } from "../wire/strict-schema.ts";
import type { SuiteHarness } from "./harness.ts";

/** A request to a route. */
export interface Ask {
  readonly input?: Readonly<Record<string, unknown>>;
  /** Sent as a bearer token. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A method other than the route's. */
  readonly method?: string;
  /** Appended verbatim to the query string. */
  readonly extraQuery?: string;
  /** Sent instead of the input's own body. */
  readonly rawBody?: string;
}

/** A parsed answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body; undefined when there is none. */
  readonly json: unknown;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

const bodyOf = (route: Route, ask: Ask): string | null => {
  if (ask.rawBody !== undefined) return ask.rawBody;
  return (ask.method ?? route.method) === "POST" ? requestBody(route, ask.input) : null;
};

const expectUniversal = (answer: Answer): void => {
  const names = [...answer.headers.keys()];
  expect(
    names.filter((name) => name.startsWith("access-control-") || name === "set-cookie" || name === "x-powered-by"),
    "no CORS, no cookies, no advertisement",
  ).toEqual([]);
  expect(answer.headers.get("x-request-id"), "an id on every answer").toMatch(REQUEST_ID);
  expect(answer.headers.get("cache-control"), "how it may be kept").not.toBeNull();
};

/**
 * Checks that an answer is a complete refusal: status, body and headers match the error table.
 * @param route the route that refuses; codes it does not declare fail the check
 */
export const expectRefusal = (route: Route, answer: Answer, code: ErrorCode): void => {
  expect(answer.json, `${answer.status} ${answer.text}`).toMatchObject({ error: code });
  expect(answer.status).toBe(ERRORS[code].status);
  if (code !== "method_not_allowed") expect(errorCodesOf(route), "a declared code").toContain(code);
  expect(faultsOf(errorBody(code), answer.json)).toEqual([]);
  expect(answer.json).toMatchObject({ request_id: answer.headers.get("x-request-id") });
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const wait = answer.headers.get("retry-after");
  if (answer.status === 429 || answer.status === 503) expect(wait).toMatch(/^[1-9][0-9]*$/);
  else expect(wait).toBeNull();
  expect(answer.headers.get("www-authenticate") !== null).toBe(answer.status === 401);
};

/** Checks that an answer is the route's success: status, headers, and a body of its schema without extra keys. */
export const expectSuccess = (route: Route, answer: Answer): void => {
  expect(answer.status, answer.text).toBe(route.success.status);
  if (answer.status === 204 || answer.status === 307) {
    expect(answer.text).toBe("");
    if (answer.status === 307) expect(answer.headers.get("location")).toMatch(/^(https?:\/)?\//);
    return;
  }
  const { mediaType = "application/json" } = route.success;
  const isJson = mediaType === "application/json";
  expect(answer.headers.get("content-type")).toBe(isJson ? mediaType : `${mediaType}; charset=utf-8`);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(faultsOf(route.output, isJson ? answer.json : answer.text)).toEqual([]);
  const declared = route.success.cacheControl;
  const kept = answer.headers.get("cache-control");
  if (declared === undefined) expect(kept).toMatch(/^(no-store|public, max-age=\d+)$/);
  else expect(kept).toBe(declared);
};

/** Sends a request from an address of its own and runs the checks that apply to every answer. */
export const exchange = async (harness: SuiteHarness, route: Route, ask: Ask = {}): Promise<Answer> => {
  const body = bodyOf(route, ask);
  const response = await fetch(`${harness.baseUrl}${requestPath(route, ask.input, ask.extraQuery)}`, {
    method: ask.method ?? route.method,
    redirect: "manual",
    headers: {
      ...(ask.headers && "X-Forwarded-For" in ask.headers ? {} : harness.freshAddress()),
      ...(ask.key === undefined ? {} : { Authorization: `Bearer ${ask.key}` }),
      ...(body === null ? {} : { "Content-Type": "application/json" }),
      ...ask.headers,
    },
    body,
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json" && text !== "";
  const answer = { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  expectUniversal(answer);
  return answer;
};
