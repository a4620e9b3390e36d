/** tRPC over HTTP at /trpc: the same pipeline through another transport. */
import type { IncomingMessage } from "node:http";
import { type Refused, refused } from "@assay/contract";
import type { Clock } from "@assay/live";
import { keyOf, requestIdOf } from "@assay/process";
import { type Allowance, attempt, type Counted, type Limits, limitHeaders, refusalOutcome } from "@assay/services";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { TRPCRequestInfo } from "@trpc/server/http";
import type { Context } from "hono";
import { createAppRouter, refusalText, type TrpcContext } from "../trpc.ts";
import { announcesTooMuch } from "./body.ts";
import { readJsonInput } from "./json-input.ts";
import { LIMIT_HEADERS } from "./limit-headers.ts";
import type { Env, MountedRoute } from "./mount.ts";

/** Most procedure calls in one batched request; each is counted and limited on its own. */
const MAX_BATCH = 10;

/** Whether a path names more procedures than a batch may hold: checked before it is decoded, split or looked up. */
const namesTooMany = (url: string): boolean => {
  const end = url.indexOf("?");
  let names = 1;
  for (const _ of (end === -1 ? url : url.slice(0, end)).matchAll(/,|%2c/gi)) {
    names += 1;
    if (names > MAX_BATCH) return true;
  }
  return false;
};

const isJson = ({ headers }: IncomingMessage): boolean => /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");

const NOT_JSON = { path: ["body"], code: "invalid_media_type", message: "must be application/json" };

/** What the tRPC handler depends on. */
export interface TrpcDoorOptions {
  readonly routes: Record<string, Record<string, MountedRoute>>;
  readonly addressOf: (incoming: IncomingMessage) => string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly onFault: (error: unknown, requestId: string) => void;
}

/** Creates the handler of /trpc. */
export const trpcDoor = ({ routes, addressOf, limits, clock, onFault }: TrpcDoorOptions) => {
  const router = createAppRouter();

  /** Refuses a request as a whole. */
  const refuse = (incoming: IncomingMessage, refusal: Refused, counted?: Allowance): Response => {
    const { error, status, headers } = refusalOutcome(
      refusal,
      requestIdOf(incoming),
      counted ? limitHeaders(counted, clock()) : {},
    );
    return new Response(refusalText(error), { status, headers });
  };

  return async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    // A body of unannounced length is not read: no tRPC client sends one.
    if (announcesTooMuch(incoming.headers["content-length"]) || incoming.headers["transfer-encoding"] !== undefined) {
      return refuse(incoming, refused("payload_too_large"));
    }
    if (namesTooMany(incoming.url ?? "")) {
      return refuse(incoming, refused("bad_request", { message: `A batch may contain at most ${MAX_BATCH} calls.` }));
    }
    const requestId = requestIdOf(incoming);
    const ip = addressOf(incoming);
    const idempotencyKey = incoming.headers["idempotency-key"];
    const caller = {
      requestId,
      ip,
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      traceparent: incoming.headers["traceparent"] as string | undefined, // Node joins repeated ones
    };
    // A batch reports the windows of its last call: it was counted last.
    const windows: Record<string, string> = {};
    // tRPC also accepts other bodies, each with its own format. As JSON the call is treated like any other, and refused for its
    // body.
    const isReadable = incoming.method === "GET" || isJson(incoming);
    if (!isJson(incoming)) context.req.raw.headers.set("content-type", "application/json");
    const call: TrpcContext["call"] = async (resource, action, readInput) => {
      const mounted = routes[resource]?.[action];
      if (!mounted) throw new Error(`no route ${resource}.${action}`);
      const outcome = await mounted.invoke({
        ...caller,
        readInput: async (fail) => {
          if (!isReadable) fail("validation_error", { issues: [NOT_JSON] });
          return readJsonInput(mounted.route, await readInput(), "input", fail);
        },
      });
      for (const name of LIMIT_HEADERS) {
        const value = outcome.headers[name];
        if (value !== undefined) windows[name] = value;
      }
      return outcome;
    };
    let refusal: Counted | undefined;
    /** Counts names that match no route, since no route's limits count them. */
    const countStrays = async (info: TRPCRequestInfo): Promise<void> => {
      const type = incoming.method === "GET" ? "query" : "mutation";
      const strays = info.calls.filter(({ procedure }) => procedure?._def.type !== type).length;
      await attempt<void>(
        async (_, failCounted) => {
          for (let stray = 0; stray < strays; stray += 1) await limits.light(ip, clock(), failCounted);
        },
        (strayRefusal, again) => {
          // Without a context no call of the batch is made.
          refusal = strayRefusal;
          return again();
        },
      );
    };
    const response = await fetchRequestHandler({
      endpoint: "/trpc",
      req: context.req.raw,
      router,
      createContext: async ({ info }) => {
        await countStrays(info);
        return { call };
      },
      responseMeta: () => ({
        headers: { ...windows, "X-Request-Id": requestId, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
      }),
      onError: ({ error }) => {
        if (error.code === "INTERNAL_SERVER_ERROR" && !refusal) onFault(error.cause ?? error, requestId);
      },
    });
    if (!refusal) {
      // HEAD is answered without `responseMeta`.
      response.headers.set("X-Request-Id", requestId);
      return response;
    }
    await response.body?.cancel();
    return refuse(incoming, refusal, refusal.allowance);
  };
};
