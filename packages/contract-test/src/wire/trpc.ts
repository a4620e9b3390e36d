/** Requests of a route over tRPC, alone or in a batch: how they are sent, and what their answers must hold. */
import { ERROR_CODES, ERRORS, type ErrorCode, errorBody, errorCodesOf, FORMAT_PARAMETER, type Route } from "@assay/contract";
import { parametersOf } from "../inputs/parameters.ts";
import type { Input } from "../inputs/sample.ts";
import { faultsOf } from "../rules/strict-schema.ts";
import { codeOf, type Exchange, fieldsOf } from "./exchange.ts";

const BODIES = new Map<string, ReturnType<typeof errorBody>>(ERROR_CODES.map((code) => [code, errorBody(code)]));
/** Integers that JSON represents exactly. */
const INTEGER = /^\d{1,15}$/;
/** A query everyone may make, the first of every batch, so that its outcomes differ. */
const OPEN_QUERY = "system.health";

/** An input in JSON's types: integers are text in a query. A format is of REST alone. */
const asJson = (route: Route, { [FORMAT_PARAMETER]: _, ...input }: Input): Input => {
  const integers = new Set(parametersOf(route).flatMap(({ name, json }) => (json.type === "integer" ? [name] : [])));
  const typed = (name: string, value: unknown): unknown =>
    integers.has(name) && typeof value === "string" && INTEGER.test(value) ? Number(value) : value;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, typed(name, value)]));
};

/** A call of a procedure; more than one input, or `isBatch`, makes it a batch. */
export interface TrpcCall {
  /** `resource.action` */
  readonly name: string;
  readonly route: Route;
  readonly inputs: readonly Input[];
  readonly isBatch: boolean;
}

/** The method, path and body of a call. */
export const trpcAddressOf = ({ name, route, inputs, isBatch }: TrpcCall) => {
  const isQuery = route.method === "GET";
  const names = [...(isBatch && isQuery ? [OPEN_QUERY] : []), ...inputs.map(() => name)];
  const all = inputs.map((input) => asJson(route, input));
  const byPlace = Object.fromEntries(all.map((input, place) => [place + names.length - inputs.length, input]));
  const input = JSON.stringify(isBatch ? byPlace : all[0]);
  const query = new URLSearchParams({ ...(isBatch ? { batch: "1" } : {}), ...(isQuery ? { input } : {}) });
  const search = query.size === 0 ? "" : `?${query}`;
  return { method: isQuery ? "GET" : "POST", path: `/trpc/${names.join(",")}${search}`, body: isQuery ? undefined : input };
};

/** The error of one call in the contract's words; undefined for a result. */
export const wireOf = (call: unknown): unknown => fieldsOf(fieldsOf(fieldsOf(call).error).data).wire;

export const trpcCodeOf = ({ json }: Pick<Exchange, "json">): string | undefined => codeOf({ json: wireOf(json) });

/** The answers of a batch without that of the open query, or the one answer. */
export const callsOf = ({ json }: Exchange, { route, isBatch }: TrpcCall): readonly unknown[] => {
  if (!isBatch) return [json];
  const calls = Array.isArray(json) ? json : [];
  return route.method === "GET" ? calls.slice(1) : calls;
};

/** The status of an answer: that of its only call, or 207 where the calls of a batch differ. */
const expectedStatus = (status: number, isBatch: boolean): readonly number[] => (isBatch ? [status, 207] : [status]);

const callFaults = (route: Route, call: unknown, { status, headers }: Exchange, isBatch: boolean): string[] => {
  if ("result" in fieldsOf(call)) {
    const faults = expectedStatus(200, isBatch).includes(status) ? [] : [`a result came with status ${status}`];
    const { data } = fieldsOf(fieldsOf(call).result);
    return route.success.status < 204 ? [...faults, ...faultsOf(route.output, data)] : faults;
  }
  const wire = wireOf(call);
  const code: ErrorCode | undefined = errorCodesOf(route).find((each) => each === codeOf({ json: wire }));
  if (code === undefined) return [`status ${status} without a declared code`];
  const wanted = ERRORS[code].status;
  const { httpStatus } = fieldsOf(fieldsOf(fieldsOf(call).error).data);
  return [
    ...(expectedStatus(wanted, isBatch).includes(status) ? [] : [`${code} came with status ${status}`]),
    ...(httpStatus === wanted ? [] : [`${code} says its status is ${String(httpStatus)}`]),
    ...(fieldsOf(wire).request_id === headers.get("x-request-id") ? [] : ["request_id is not that of the header"]),
    ...faultsOf(BODIES.get(code) ?? errorBody(code), wire),
  ];
};

/** Everything that is wrong with an answer, whatever its outcome. */
export const trpcFaults = (exchange: Exchange, call: TrpcCall): string[] => {
  const calls = callsOf(exchange, call);
  const isOpen =
    !(call.isBatch && call.route.method === "GET") || "result" in fieldsOf((exchange.json as unknown[] | undefined)?.[0]);
  return [
    ...(exchange.headers.get("x-request-id") === exchange.sent.headers["x-request-id"]
      ? []
      : ["X-Request-Id is not the one sent"]),
    ...(isOpen ? [] : ["the open query of the batch has no result"]),
    ...(calls.length === call.inputs.length ? [] : [`${calls.length} answers to ${call.inputs.length} calls`]),
    ...calls.flatMap((each) => callFaults(call.route, each, exchange, call.isBatch)),
  ];
};
