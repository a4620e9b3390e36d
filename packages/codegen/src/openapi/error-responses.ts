/** The errors of a route: one response per status, with every code under it and an example of each. */
import { ERRORS, type ErrorCode, errorCodesOf, type Route } from "@assay/contract";
import { errorExample, schemaName } from "./error-schemas.ts";
import { faultHeaders, refusalHeaders } from "./headers.ts";
import type { ResponseObject } from "./types.ts";

const FAULT_TEXT = "Internal Server Error";

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
