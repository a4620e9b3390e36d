/** The errors of a route: one response per status, with a schema and an example of every code under it. */
import {
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  EXAMPLE_READING,
  errorBody,
  errorCodesOf,
  FAULT_TEXT,
  type Route,
  SYMBOL_HINT,
} from "@assay/contract";
import { z } from "zod";
import { faultHeaders, refusalHeaders } from "./headers.ts";
import type { Json, ResponseObject } from "./types.ts";

/** The component name of a code's body: ErrorInvalidSymbol. */
export const schemaName = (code: ErrorCode): string =>
  `Error${code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;

export const errorSchemas = (): Record<string, Json> =>
  Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { $schema: _, ...schema } = z.toJSONSchema(errorBody(code), { io: "input" });
      return [schemaName(code), { ...schema, title: code, description: ERRORS[code].condition }];
    }),
  );

const LIMIT_WINDOWS: Partial<Record<ErrorCode, { limit: number; window: string; reset: string; wait: number }>> = {
  rate_limited: { limit: 100, window: "hour", wait: 3393, reset: "2026-11-20T15:00:00Z" },
  rate_limit_exceeded: { limit: 10, window: "minute", wait: 33, reset: "2026-11-20T14:04:00Z" },
  quota_exceeded: { limit: 5000, window: "month", wait: 899_793, reset: "2026-12-01T00:00:00Z" },
};

const fieldsOf = (code: ErrorCode): Json => {
  const window = LIMIT_WINDOWS[code];
  if (window) return { limit: window.limit, window: window.window, retry_after_seconds: window.wait, reset_at: window.reset };
  if (code === "plan_gated") return { tier: "free", required_tier: "pro" };
  if (code === "unknown_past") return { ledger_starts_at: EXAMPLE_READING };
  if (code === "invalid_symbol") return { symbol: "GOLDUSD", hint: SYMBOL_HINT };
  if (code === "validation_error") {
    return { issues: [{ path: ["query", "limit"], code: "too_big", message: "Too big: expected int to be <=10000" }] };
  }
  return {};
};

export const errorExample = (code: ErrorCode): Json => {
  const entry: ErrorEntry = ERRORS[code];
  return { error: code, message: entry.message, request_id: "4f1c2a0e-8d5b-4c58-9a59-2a2b1d6c7e11", ...fieldsOf(code) };
};

/**
 * The plain-text 500 any route can return: a constant, so that generated error types include exactly this text beside the codes.
 */
export const UNEXPECTED_ERROR: ResponseObject = {
  description: "An unexpected error. The details are logged under the request id.",
  headers: faultHeaders(),
  content: { "text/plain": { schema: { type: "string", const: FAULT_TEXT }, example: FAULT_TEXT } },
};

/** The 500 of a route that also has error codes with that status. */
const withUnexpected = (declared: ResponseObject): ResponseObject => ({
  description: `${declared.description}\n\n${UNEXPECTED_ERROR.description}`,
  headers: { ...UNEXPECTED_ERROR.headers, ...declared.headers },
  content: { ...declared.content, ...UNEXPECTED_ERROR.content },
});

const describe = (codes: readonly ErrorCode[], publicUrl: string): string =>
  codes
    .map((code) => `[\`${code}\`](${publicUrl}/docs/errors/${code}): ${ERRORS[code].condition} ${ERRORS[code].remedy}`)
    .join("\n\n");

const response = (route: Route, status: number, codes: readonly ErrorCode[], publicUrl: string): ResponseObject => {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${schemaName(code)}` }));
  return {
    description: describe(codes, publicUrl),
    headers: refusalHeaders(route, status),
    content: {
      "application/json": {
        schema: refs.length === 1 ? refs[0] : { oneOf: refs },
        examples: Object.fromEntries(codes.map((code) => [code, { summary: ERRORS[code].message, value: errorExample(code) }])),
      },
    },
  };
};

/**
 * Every error response of a route by status, and the plain-text 500.
 * @param publicUrl base of the links to the error pages
 */
export const errorResponses = (route: Route, publicUrl: string): Record<string, ResponseObject> => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const statuses = [...byStatus].sort(([left], [right]) => left - right);
  const responses: Record<string, ResponseObject> = Object.fromEntries(
    statuses.map(([status, codes]) => [String(status), response(route, status, codes, publicUrl)]),
  );
  const own = responses["500"];
  const shared = { $ref: "#/components/responses/UnexpectedError", description: UNEXPECTED_ERROR.description };
  return { ...responses, "500": own ? withUnexpected(own) : shared };
};
