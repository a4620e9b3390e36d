/** The same requests over tRPC: how they are sent, and what their answers must satisfy. */

import { ERROR_CODES, ERRORS, errorBody, errorCodesOf, type Route } from "@assay/contract";
import { codeOf, type Exchange, fieldsOf, type Input } from "@assay/contract-test/requests";
import { faultsOf, parametersOf } from "@assay/testkit/wire";
import type { FuzzRequest } from "./requests.ts";

const BODIES = new Map(ERROR_CODES.map((code) => [code as string, errorBody(code)]));
/** Integers that JSON represents exactly. */
const INTEGER = /^\d{1,15}$/;

/** Integers are text in a query, and numbers in JSON. */
const asJson = (route: Route, input: Input): string => {
  const integers = new Set(parametersOf(route).flatMap(({ name, json }) => (json.type === "integer" ? [name] : [])));
  return JSON.stringify(input, (name, value: unknown) =>
    integers.has(name) && typeof value === "string" && INTEGER.test(value) ? Number(value) : value,
  );
};

/** The path and body of a call; REST-only parts, such as an extra query or a raw body, are dropped. */
export const trpcAddress = ({
  name,
  route,
  input,
}: FuzzRequest): { readonly path: string; readonly body: string | undefined } => {
  const json = asJson(route, input);
  if (route.method !== "GET") return { path: `/trpc/${name}`, body: json };
  return { path: `/trpc/${name}?${new URLSearchParams({ input: json })}`, body: undefined };
};

/** The wire error of an answer, for counting. */
export const trpcCodeOf = ({ json }: Exchange): string | undefined => codeOf({ json: wireOf(json) });

const wireOf = (json: unknown): unknown => fieldsOf(fieldsOf(fieldsOf(json).error).data).wire;

/** Everything that is wrong with an answer. */
export const trpcFaults = (route: Route, { json, status, headers, sent }: Exchange): string[] => {
  const faults = headers.get("x-request-id") === sent.headers["x-request-id"] ? [] : ["X-Request-Id is not the one sent"];
  if ("result" in fieldsOf(json)) {
    const { data } = fieldsOf(fieldsOf(json).result);
    if (status !== 200) faults.push(`a result came with status ${status}`);
    return route.success.status < 204 ? [...faults, ...faultsOf(route.output, data)] : faults;
  }
  const wire = wireOf(json);
  const code = errorCodesOf(route).find((each) => each === codeOf({ json: wire }));
  if (code === undefined) return [...faults, `status ${status} without a declared code`];
  if (status !== ERRORS[code].status) faults.push(`${code} came with status ${status}`);
  if (fieldsOf(wire).request_id !== headers.get("x-request-id")) faults.push("request_id is not that of the header");
  return [...faults, ...faultsOf(BODIES.get(code) ?? errorBody(code), wire)];
};
