/** MCP at /mcp: bounds, limits and headers. The protocol itself is loaded with the first request. */
import type { IncomingMessage } from "node:http";
import { contract, type Refused, refused } from "@assay/contract";
import type { Clock } from "@assay/live";
import { keyOf, requestIdOf } from "@assay/process";
import { attempt, type Counted, type Limits, limitHeaders } from "@assay/services";
import type { Context } from "hono";
import type { Documents } from "../documents.ts";
import { announcesTooMuch, readJsonBody } from "../http/body.ts";
import { LIMIT_HEADERS } from "../http/limit-headers.ts";
import { type Env, invokeOf, type MountedRoute, refuse } from "../http/mount.ts";
import type { AgentServers } from "./agent-server.ts";

/** Most messages in a batch, which clients of 2025-03-26 may send; each call is counted and limited on its own. */
const MAX_BATCH = 10;

/** What the handler of /mcp depends on. */
export interface McpDoorOptions {
  /** The routes with the gate of this door; called with the first request. */
  readonly routes: () => Record<string, Record<string, MountedRoute>>;
  readonly addressOf: (incoming: IncomingMessage) => string;
  readonly documents: Documents;
  readonly publicUrl: () => string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly onFault: (error: unknown, requestId: string) => void;
}

/** A JSON-RPC error that answers no request in particular. */
const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** How many messages of a body call a tool that exists; its route counts those itself. */
const callsIn = (messages: readonly unknown[], has: AgentServers["has"]): number =>
  messages.filter(
    (message) =>
      isRecord(message) && message["method"] === "tools/call" && isRecord(message["params"]) && has(message["params"]["name"]),
  ).length;

/** A body, or how it is refused. */
type Reading = { readonly body: unknown } | { readonly refusal: Refused };

const read = (incoming: IncomingMessage): Reading | Promise<Reading> =>
  attempt<Reading>(
    async (fail) => ({ body: await readJsonBody(incoming, fail) }),
    (refusal) => ({ refusal }),
  );

/** Creates the handler of /mcp. */
export const mcpDoor = ({ routes, addressOf, documents, publicUrl, limits, clock, onFault }: McpDoorOptions) => {
  const load = async () => {
    const [{ agentServers }, { exchange, refuseOrigin }] = await Promise.all([
      import("./agent-server.ts"),
      import("./exchange.ts"),
    ]);
    const mounted = routes();
    return {
      servers: agentServers(contract, (resource, action) => invokeOf(mounted, resource, action), documents),
      exchange,
      refuseOrigin,
    };
  };
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };

  /** Counts what no route counts, as light requests of the address; null when they are within the limit. */
  const countLight = (ip: string, times: number): Counted | null | Promise<Counted | null> =>
    attempt<Counted | null>(
      async (_, failCounted) => {
        for (let time = 0; time < times; time += 1) await limits.light(ip, clock(), failCounted);
        return null;
      },
      (refusal) => refusal,
    );

  const answer = async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    const { raw } = context.req;
    const requestId = requestIdOf(incoming);
    const ip = addressOf(incoming);
    const { servers, exchange, refuseOrigin } = await loaded();
    const foreign = refuseOrigin(raw, publicUrl());
    if (foreign) return foreign;

    const reading = await read(incoming);
    if ("refusal" in reading && reading.refusal.code === "payload_too_large") return refuse(incoming, reading.refusal);
    const body = "body" in reading ? reading.body : undefined;
    const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
    const calls = callsIn(messages, servers.has);
    const overLimit = (refusal: Counted): Response =>
      refuse(incoming, refusal, refusal.allowance ? limitHeaders(refusal.allowance, clock()) : {});
    const refusal = await countLight(ip, Math.min(messages.length, MAX_BATCH) - Math.min(calls, MAX_BATCH));
    if (refusal) return overLimit(refusal);
    if (body === undefined) return rpcError(400, -32_700, "The body must be JSON in UTF-8.");
    if (messages.length > MAX_BATCH) return rpcError(400, -32_600, `A batch may contain at most ${MAX_BATCH} messages.`);

    const visitor = { requestId, ip, key: keyOf(incoming) };
    const { server, outcomes } = servers.open(visitor, (error) => onFault(error, requestId));
    let fault: Error | undefined;
    server.onerror = (error) => {
      fault = error;
    };
    const response = await exchange(raw, body, server, (error) => {
      fault = error;
    });
    if (response.status >= 500 && fault) onFault(fault, requestId);
    // Calls the protocol refused before they reached a route.
    const uncounted = await countLight(ip, calls - outcomes.length);
    if (uncounted) {
      await response.body?.cancel();
      return overLimit(uncounted);
    }
    const windows = outcomes.at(-1)?.headers ?? {};
    for (const name of LIMIT_HEADERS) {
      const value = windows[name];
      if (value !== undefined) response.headers.set(name, value);
    }
    return response;
  };

  return async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    if (announcesTooMuch(incoming.headers["content-length"])) return refuse(incoming, refused("payload_too_large"));
    if (context.req.method !== "POST") return refuse(incoming, refused("method_not_allowed"), { Allow: "POST" });
    const response = await answer(context);
    response.headers.set("X-Request-Id", requestIdOf(incoming));
    response.headers.set("Cache-Control", "no-store");
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  };
};
