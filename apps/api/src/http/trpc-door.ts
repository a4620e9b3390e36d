/** tRPC over HTTP at /trpc: the same pipeline behind another door. */
import type { IncomingMessage } from "node:http";
import { keyOf, requestIdOf } from "@assay/config";
import { Refusal, type Route } from "@assay/contract";
import type { Outcome } from "@assay/services";
import { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { Context } from "hono";
import { createAppRouter } from "../trpc.ts";
import { announcesTooMuch } from "./body.ts";
import { type Env, type MountedRoute, refuse } from "./mount.ts";

/** Most procedure calls in one batched request; each is counted and limited on its own. */
const MAX_BATCH = 10;

/** What an answer tells of its windows. */
const LIMIT_HEADERS = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit-Policy",
  "RateLimit",
  "Retry-After",
  "X-Should-Retry",
] as const;

const validate = (route: Route, input: unknown): unknown => {
  const parsed = route.input.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  throw new Refusal("validation_error", {
    issues: parsed.error.issues.map(({ path, code, message }) => ({
      path: ["input", ...path.map((part) => (typeof part === "symbol" ? String(part) : part))],
      code,
      message,
    })),
  });
};

/** Makes the handler of /trpc. */
export const trpcDoor = (
  routes: Record<string, Record<string, MountedRoute>>,
  addressOf: (incoming: IncomingMessage) => string,
  onFault: (error: unknown, requestId: string) => void,
) => {
  const router = createAppRouter();
  return async (context: Context<Env>): Promise<Response> => {
    const { incoming } = context.env;
    // A body of unannounced length is not read: no tRPC client sends one.
    if (announcesTooMuch(incoming.headers["content-length"]) || incoming.headers["transfer-encoding"] !== undefined) {
      return refuse(incoming, new Refusal("payload_too_large"));
    }
    const requestId = requestIdOf(incoming);
    const idempotencyKey = incoming.headers["idempotency-key"];
    const caller = {
      requestId,
      ip: addressOf(incoming),
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
    };
    // Of a batch the last call's windows are told: it was counted last.
    const limits: Record<string, string> = {};
    const call = async (resource: string, action: string, input: unknown): Promise<Outcome> => {
      const mounted = routes[resource]?.[action];
      if (!mounted) throw new Error(`no route ${resource}.${action}`);
      const outcome = await mounted.invoke({ ...caller, readInput: () => validate(mounted.route, input) });
      for (const name of LIMIT_HEADERS) {
        const value = outcome.headers[name];
        if (value !== undefined) limits[name] = value;
      }
      return outcome;
    };
    return fetchRequestHandler({
      endpoint: "/trpc",
      req: context.req.raw,
      router,
      createContext: ({ info }) => {
        if (info.calls.length > MAX_BATCH)
          throw new TRPCError({ code: "BAD_REQUEST", message: `at most ${MAX_BATCH} calls in a batch` });
        return { call };
      },
      responseMeta: () => ({
        headers: { ...limits, "X-Request-Id": requestId, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
      }),
      onError: ({ error }) => {
        if (error.code === "INTERNAL_SERVER_ERROR") onFault(error.cause ?? error, requestId);
      },
    });
  };
};
