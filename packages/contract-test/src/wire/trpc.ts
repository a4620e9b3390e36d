/** Requests of a route over tRPC, alone or in a batch: how they are sent, and their answers as REST would have given them. */
import { FORMAT_PARAMETER, type Route } from "@assay/contract";
import { parametersOf } from "../inputs/parameters.ts";
import type { Input } from "../inputs/sample.ts";
import { type Exchange, fieldsOf } from "./exchange.ts";

/** Integers that JSON represents exactly. */
const INTEGER = /^\d{1,15}$/;
/** A query everyone may make, the first of every batch, so that its outcomes differ. */
const OPEN_QUERY = "system.health";
/** The status of a batch whose calls differ. */
const MULTI_STATUS = 207;

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

const openersOf = ({ route, isBatch }: TrpcCall): string[] => (isBatch && route.method === "GET" ? [OPEN_QUERY] : []);

/** The method, path and body of a call. */
export const trpcAddressOf = (call: TrpcCall) => {
  const { name, route, inputs, isBatch } = call;
  const isQuery = route.method === "GET";
  const openers = openersOf(call);
  const all = inputs.map((input) => asJson(route, input));
  const byPlace = Object.fromEntries(all.map((input, place) => [place + openers.length, input]));
  const input = JSON.stringify(isBatch ? byPlace : all[0]);
  const query = new URLSearchParams({ ...(isBatch ? { batch: "1" } : {}), ...(isQuery ? { input } : {}) });
  const search = query.size === 0 ? "" : `?${query}`;
  const path = `/trpc/${[...openers, ...inputs.map(() => name)].join(",")}${search}`;
  return { method: isQuery ? "GET" : "POST", path, body: isQuery ? undefined : input };
};

/** The answer of one call in the contract's words; a status that its error does not have stays that of the whole. */
const answerOf = (answer: unknown, exchange: Exchange, { route, isBatch }: TrpcCall): Exchange => {
  const { error, result } = fieldsOf(answer);
  const { wire, httpStatus } = fieldsOf(fieldsOf(error).data);
  const isOwn = exchange.status === (error ? httpStatus : 200) || (isBatch && exchange.status === MULTI_STATUS);
  const own = error ? Number(httpStatus) : route.success.status;
  const hasBody = error !== undefined || own < 204;
  const json = error ? wire : hasBody ? fieldsOf(result).data : undefined;
  const sent = { ...exchange.sent, method: route.method };
  return { ...exchange, sent, status: isOwn ? own : exchange.status, json, text: hasBody ? JSON.stringify(json ?? null) : "" };
};

/** The answers of a call, as many as its inputs where every call was answered; none where the open query of a batch has no result. */
export const trpcAnswersOf = (exchange: Exchange, call: TrpcCall): Exchange[] => {
  const all: unknown[] = call.isBatch ? (Array.isArray(exchange.json) ? exchange.json : []) : [exchange.json];
  const openers = all.splice(0, openersOf(call).length);
  return openers.every((opener) => "result" in fieldsOf(opener)) ? all.map((each) => answerOf(each, exchange, call)) : [];
};
