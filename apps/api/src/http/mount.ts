/** REST: every route of the contract on Hono, each a thin wrapper around the pipeline. */
import type { IncomingMessage } from "node:http";
import { type Contract, type Refused, type Route, refused } from "@assay/contract";
import { keyOf, type ObserveRequest, requestIdOf } from "@assay/process";
import { type AnyVerb, type Invoke, invoker, type Outcome, type PipelineDeps, refusalOutcome } from "@assay/services";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { announcesTooMuch, readJsonBody } from "./body.ts";
import { type Decoder, decoderOf } from "./decode.ts";
import { keepingInputs } from "./kept-inputs.ts";

/** The Hono environment of our handlers. */
export interface Env {
  Bindings: HttpBindings;
}

/** Verbs by resource and action, types erased. */
export type AnyVerbs = Readonly<Record<string, Readonly<Record<string, AnyVerb>>>>;

/** A route callable through any transport. */
export interface MountedRoute {
  readonly route: Route;
  readonly invoke: Invoke;
}

/** Records a route's answers and their duration. */
const observed =
  (route: Route, invoke: Invoke, observe: ObserveRequest): Invoke =>
  (call) => {
    const startedMs = performance.now();
    const tell = (outcome: Outcome): Outcome => {
      observe(`${route.method} ${route.path}`, outcome.status, (performance.now() - startedMs) / 1000);
      return outcome;
    };
    const outcome = invoke(call);
    return outcome instanceof Promise ? outcome.then(tell) : tell(outcome);
  };

/** Wraps every verb of a contract in the pipeline. */
export const prepare = (
  contract: Contract,
  verbs: AnyVerbs,
  deps: PipelineDeps,
  observe?: ObserveRequest,
): Record<string, Record<string, MountedRoute>> =>
  Object.fromEntries(
    Object.entries(contract).map(([resource, routes]) => [
      resource,
      Object.fromEntries(
        Object.entries(routes).map(([action, route]) => {
          const verb = verbs[resource]?.[action];
          if (!verb) throw new Error(`no verb for ${resource}.${action}`);
          const invoke = invoker(route, verb, deps);
          return [action, { route, invoke: observe ? observed(route, invoke, observe) : invoke }];
        }),
      ),
    ]),
  );

/** Statuses that never have a body, nor a Content-Length. */
const BODILESS: readonly number[] = [204, 304];

/** Converts an outcome to a response. An empty body gets a Content-Length, since Node would send it chunked otherwise. */
export const toResponse = ({ body, status, headers }: Outcome): Response => {
  if (body === null && !BODILESS.includes(status)) headers["Content-Length"] = "0";
  return new Response(body, { status, headers });
};

/** Converts a refusal to a response; for too large a body it closes the connection, so that the rest is not read. */
export const refuse = (incoming: IncomingMessage, refusal: Refused, headers: Record<string, string> = {}): Response =>
  toResponse(
    refusalOutcome(
      refusal,
      requestIdOf(incoming),
      refusal.code === "payload_too_large" ? { ...headers, Connection: "close" } : headers,
    ),
  );

/** The plain answer to an unexpected error; the details are in the log under the same id. */
export const faultResponse = (requestId: string): Response =>
  new Response("Internal Server Error", {
    status: 500,
    headers: { "Content-Type": "text/plain; charset=utf-8", "X-Request-Id": requestId, "Cache-Control": "no-store" },
  });

const queryOf = (url: string): string => {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
};

const handler = ({ route, invoke }: MountedRoute, addressOf: (incoming: IncomingMessage) => string) => {
  const readsBody = route.method === "POST";
  const decode: Decoder = readsBody ? decoderOf(route) : keepingInputs(decoderOf(route));
  const respond = (outcome: Outcome): Response => {
    if (outcome.error?.code === "payload_too_large") outcome.headers["Connection"] = "close";
    return toResponse(outcome);
  };
  // No promise when none is needed: a synchronous answer is sent synchronously.
  return (context: Context<Env>): Response | Promise<Response> => {
    const { incoming } = context.env;
    if (announcesTooMuch(incoming.headers["content-length"])) return refuse(incoming, refused("payload_too_large"));
    const query = queryOf(incoming.url ?? "");
    const idempotencyKey = incoming.headers["idempotency-key"];
    const outcome = invoke({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      ifNoneMatch: incoming.headers["if-none-match"],
      readInput: readsBody
        ? async (fail) => decode({ path: context.req.param(), query, body: await readJsonBody(incoming, fail) }, fail)
        : (fail) => decode({ path: context.req.param(), query }, fail),
    });
    return outcome instanceof Promise ? outcome.then(respond) : respond(outcome);
  };
};

/** The methods of a path, as its Allow header lists them. */
const allowed = (routes: readonly Route[]): string[] =>
  [...new Set(routes.flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method])))].sort();

/**
 * Mounts every route, and answers the rest: other methods on their paths, and unknown paths. Other methods have no handlers of
 * their own, because a request that matches more than one passes through a chain of promises.
 */
export const mount = (
  app: Hono<Env>,
  routes: Record<string, Record<string, MountedRoute>>,
  addressOf: (incoming: IncomingMessage) => string,
): void => {
  const byPath = new Map<string, Route[]>();
  for (const mounted of Object.values(routes).flatMap((actions) => Object.values(actions))) {
    const path = mounted.route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(mounted.route.method, path, handler(mounted, addressOf));
    byPath.set(path, [...(byPath.get(path) ?? []), mounted.route]);
  }
  const methods = new TrieRouter<string>();
  for (const [path, known] of byPath) methods.add("ALL", path, allowed(known).join(", "));
  app.notFound(({ env, req }) => {
    const allow = methods.match("ALL", req.path)[0][0]?.[0];
    return allow === undefined
      ? refuse(env.incoming, refused("not_found"))
      : refuse(env.incoming, refused("method_not_allowed"), { Allow: allow });
  });
};
