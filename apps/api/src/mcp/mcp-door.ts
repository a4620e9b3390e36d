/** MCP at /mcp: bounds, limits and headers. The protocol itself is loaded with the first request. */
import type { IncomingMessage } from "node:http";
import { contract, isRecord, type Refused } from "@assay/contract";
import { keyOfOpenQuery, requestIdOf } from "@assay/process";
import { attempt, unstoredHeaders } from "@assay/services";
import type { Context } from "hono";
import type { Documents } from "../documents/library.ts";
import { bodyFault, MAX_BODY_DEPTH, readJsonBody } from "../http/body.ts";
import type { MountedRoutes } from "../http/routes.ts";
import { type Env, refuse, refuseMethod } from "../http/send.ts";
import { type CountLight, windowsOf } from "../http/windows.ts";
import type { AgentServers } from "./agent-server.ts";

/** Most messages in a batch, which clients of 2025-03-26 may send; each call is counted and limited on its own. */
const MAX_BATCH = 10;

export interface McpDoorOptions {
  /** The routes with the gate of this door; called with the first request. */
  readonly routes: () => MountedRoutes;
  readonly addressOf: (incoming: IncomingMessage) => string;
  readonly documents: Documents;
  readonly publicUrl: () => string;
  readonly countLight: CountLight;
  readonly onFault: (error: unknown, requestId: string) => void;
}

/** A JSON-RPC error that answers no request in particular. */
const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });

/** How many messages of a body call a tool that exists; its route counts those itself. */
const callsIn = (messages: readonly unknown[], has: AgentServers["has"]): number =>
  messages.filter(
    (message) =>
      isRecord(message) && message["method"] === "tools/call" && isRecord(message["params"]) && has(message["params"]["name"]),
  ).length;

/** Whether two requests of a batch have the same id: answers are found by it. */
const repeatsId = (messages: readonly unknown[]): boolean => {
  const ids = messages.flatMap((message) => (isRecord(message) && "method" in message ? (message["id"] ?? []) : []));
  return new Set(ids).size < ids.length;
};

/** Without the nulls that some clients write for parameters that they leave out. */
const withoutNullParams = (message: unknown): unknown => {
  if (!isRecord(message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isRecord(params) || params["arguments"] !== null) return message;
  const { arguments: _, ...others } = params;
  return { ...rest, params: others };
};

/** The messages of a body, or how the request is refused. */
type Reading = { readonly body: unknown } | { readonly refusal: Refused };

const read = (incoming: IncomingMessage): Reading | Promise<Reading> =>
  attempt<Reading>(
    async (fail) => {
      const body = await readJsonBody(incoming, fail);
      return { body: Array.isArray(body) ? body.map(withoutNullParams) : withoutNullParams(body) };
    },
    (refusal) => (refusal.code === "payload_too_large" ? { refusal } : { body: undefined }),
  );

/** What is wrong with a body, whatever its messages say; undefined when nothing is. */
const faultIn = (body: unknown, messages: readonly unknown[]): Response | undefined => {
  if (body === undefined)
    return rpcError(
      400,
      -32_700,
      `The body must be JSON in UTF-8, nested at most ${MAX_BODY_DEPTH} deep, with each name once in an object.`,
    );
  if (messages.length > MAX_BATCH) return rpcError(400, -32_600, `A batch may contain at most ${MAX_BATCH} messages.`);
  if (repeatsId(messages)) return rpcError(400, -32_600, "Every request of a batch needs its own id.");
  return undefined;
};

const load = async ({ routes, documents }: McpDoorOptions) => {
  const { agentServers, exchange, refuseOrigin } = await import("./agent-server.ts");
  return { servers: agentServers(contract, routes(), documents), exchange, refuseOrigin };
};

export const mcpDoor = (options: McpDoorOptions) => {
  const { addressOf, publicUrl, countLight, onFault } = options;
  let loading: ReturnType<typeof load> | undefined;

  const answer = async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    const { raw } = context.req;
    const request = { requestId: requestIdOf(incoming), ip: addressOf(incoming), key: keyOfOpenQuery(incoming) };
    loading ??= load(options);
    const { servers, exchange, refuseOrigin } = await loading;
    const foreign = refuseOrigin(raw, publicUrl());
    if (foreign) return foreign;

    const reading = await read(incoming);
    if ("refusal" in reading) return refuse(incoming, reading.refusal);
    const { body } = reading;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const calls = callsIn(messages, servers.has);
    // Routes count the calls of tools; everything else is counted here.
    const others = await countLight(request.ip, Math.min(messages.length, MAX_BATCH) - Math.min(calls, MAX_BATCH));
    if (others.refusal) return refuse(incoming, others.refusal, others.windows);
    const malformed = faultIn(body, messages);
    if (malformed) return malformed;

    const { server, outcomes } = servers.open(request, (error) => onFault(error, request.requestId));
    let fault: Error | undefined;
    const note = (error: Error): void => {
      fault = error;
    };
    server.onerror = note;
    const response = await exchange(raw, body, server, note);
    if (response.status >= 500 && fault) onFault(fault, request.requestId);
    // Calls the protocol refused before they reached a route.
    const unrouted = await countLight(request.ip, calls - outcomes.length);
    if (unrouted.refusal) {
      await response.body?.cancel();
      return refuse(incoming, unrouted.refusal, unrouted.windows);
    }
    const last = outcomes.at(-1);
    for (const [name, value] of Object.entries(last ? windowsOf(last) : {})) response.headers.set(name, value);
    return response;
  };

  return async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    const fault = bodyFault(incoming);
    if (fault) return refuse(incoming, fault);
    if (incoming.method !== "POST") return refuseMethod(incoming, "POST");
    const response = await answer(context);
    for (const [name, value] of Object.entries(unstoredHeaders(requestIdOf(incoming)))) response.headers.set(name, value);
    return response;
  };
};
