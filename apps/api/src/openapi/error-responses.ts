/** What a route can refuse with: a response per status, naming every code of it with an example. */
import { ERRORS, type ErrorCode, errorCodesOf, type Route } from "@assay/contract";
import { errorExample, schemaName } from "./error-schemas.ts";
import { faultHeaders, refusalHeaders } from "./headers.ts";
import type { ResponseObject } from "./types.ts";

const FAULT_DESCRIPTION = "Something nobody foresaw. The detail is logged under the request id.";
const FAULT_CONTENT = { "text/plain": { schema: { type: "string" }, example: "Internal Server Error" } };

/** The plain-text 500 of every route, beside the refusals some declare under that status. */
const fault = (declared: ResponseObject | undefined): ResponseObject => ({
  description: declared ? `${declared.description}\n\n${FAULT_DESCRIPTION}` : FAULT_DESCRIPTION,
  headers: { ...faultHeaders(), ...declared?.headers },
  content: { ...declared?.content, ...FAULT_CONTENT },
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
 * Every refusal of a route by status, and the plain-text 500.
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
  return { ...responses, "500": fault(responses["500"]) };
};
