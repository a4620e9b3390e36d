/** REST: every route of the contract, each a thin wrapper around the pipeline. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Contract, pathParameters, type Refused, type Route, refused } from "@assay/contract";
import { keyOf, type ObserveRequest, requestIdOf } from "@assay/process";
import { type AnyVerb, type Invoke, invoker, type Outcome, type PipelineDeps, refusalOutcome } from "@assay/services";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { tryDecodeURIComponent } from "hono/utils/url";
import { LRUCache } from "lru-cache";
import { announcesTooMuch, readJsonBody } from "./body.ts";
import { type Decoder, decoderOf } from "./decode.ts";
import { keepingInputs } from "./kept-inputs.ts";
import { send, toResponse } from "./send.ts";

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

const closingFor = (outcome: Outcome): Outcome => {
  if (outcome.error?.code === "payload_too_large") outcome.headers["Connection"] = "close";
  return outcome;
};

/** A refusal of a request; for too large a body it closes the connection, so that the rest is not read. */
const refusalOf = (incoming: IncomingMessage, refusal: Refused, headers: Record<string, string> = {}): Outcome =>
  closingFor(refusalOutcome(refusal, requestIdOf(incoming), headers));

/** The same as a response. */
export const refuse = (incoming: IncomingMessage, refusal: Refused, headers: Record<string, string> = {}): Response =>
  toResponse(refusalOf(incoming, refusal, headers));

/** The plain answer to an unexpected error; the details are in the log under the same id. */
const faultOutcome = (requestId: string): Outcome => ({
  status: 500,
  headers: { "Content-Type": "text/plain; charset=utf-8", "X-Request-Id": requestId, "Cache-Control": "no-store" },
  body: "Internal Server Error",
});

/** The same as a response. */
export const faultResponse = (requestId: string): Response => toResponse(faultOutcome(requestId));

const queryOf = (url: string): string => {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
};

type AddressOf = (incoming: IncomingMessage) => string;
type PathParameters = Readonly<Record<string, string>>;

/** Answers a request for one route. Synchronous when no engine had to be awaited. */
type Answer = (incoming: IncomingMessage, path: PathParameters) => Outcome | Promise<Outcome>;

const answerOf = ({ route, invoke }: MountedRoute, addressOf: AddressOf): Answer => {
  const readsBody = route.method === "POST";
  const decode: Decoder = readsBody ? decoderOf(route) : keepingInputs(decoderOf(route));
  return (incoming, path) => {
    const { headers } = incoming;
    if (announcesTooMuch(headers["content-length"])) return refusalOf(incoming, refused("payload_too_large"));
    const query = queryOf(incoming.url ?? "");
    const idempotencyKey = headers["idempotency-key"];
    return invoke({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      ifNoneMatch: headers["if-none-match"],
      readInput: readsBody
        ? async (fail) => decode({ path, query, body: await readJsonBody(incoming, fail) }, fail)
        : (fail) => decode({ path, query }, fail),
    });
  };
};

/** Paths kept with what was found there, and the longest worth keeping. */
const MAX_TARGETS = 1_000;
const MAX_CHARACTERS = 128;

/** What is found at a path. */
interface Target {
  readonly place: Place;
  readonly parameters: PathParameters;
}

/** The routes of one path by method, its Allow header, and the names of its parameters. */
interface Place {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly allow: string;
  readonly names: readonly string[];
}

const placeOf = (path: string, mounted: readonly MountedRoute[], addressOf: AddressOf): Place => {
  const answers = new Map<string, Answer>();
  for (const each of mounted) {
    const answer = answerOf(each, addressOf);
    answers.set(each.route.method, answer);
    if (each.route.method === "GET") answers.set("HEAD", answer);
  }
  return { answers, allow: [...answers.keys()].sort().join(", "), names: pathParameters(path) };
};

/**
 * Answers a request for a path of the contract, on Node's own objects: as a fetch request and response it would cost as much
 * again as the whole pipeline.
 * @param path decoded except for what separates its parts
 * @returns false, and nothing is answered, when the contract has no such path
 */
export type RouteDoor = (incoming: IncomingMessage, outgoing: ServerResponse, path: string) => boolean;

/**
 * Creates the door to every route, and answers paths unknown to the application.
 * @param onFault receives unexpected errors, which are answered with a plain 500
 */
export const mount = (
  app: Hono<Env>,
  routes: Record<string, Record<string, MountedRoute>>,
  addressOf: AddressOf,
  onFault: (error: unknown, requestId: string) => void = () => {},
): RouteDoor => {
  app.notFound(({ env }) => refuse(env.incoming, refused("not_found")));
  const byPath = new Map<string, MountedRoute[]>();
  for (const mounted of Object.values(routes).flatMap((actions) => Object.values(actions))) {
    byPath.set(mounted.route.path, [...(byPath.get(mounted.route.path) ?? []), mounted]);
  }
  const router = new RegExpRouter<Place>();
  for (const [path, mounted] of byPath) {
    router.add("ALL", path.replaceAll(/\{(\w+)\}/g, ":$1"), placeOf(path, mounted, addressOf));
  }

  const failed = (error: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const requestId = requestIdOf(incoming);
    onFault(error, requestId);
    send(incoming, outgoing, faultOutcome(requestId));
  };
  // Most requests name a path that was asked for lately.
  const kept = new LRUCache<string, Target>({ max: MAX_TARGETS });
  const find = (path: string): Target | null => {
    const [[found], stash] = router.match("ALL", path);
    if (!found) return null;
    const [place, places] = found;
    const parameters: Record<string, string> = {};
    for (const name of place.names) parameters[name] = tryDecodeURIComponent(stash?.[Number(places[name])] ?? "");
    const target = { place, parameters: Object.freeze(parameters) };
    if (path.length <= MAX_CHARACTERS) kept.set(path, target);
    return target;
  };
  return (incoming, outgoing, path) => {
    const target = kept.get(path) ?? find(path);
    if (!target) return false;
    const { answers, allow } = target.place;
    const answer = answers.get(incoming.method ?? "");
    try {
      const outcome = answer
        ? answer(incoming, target.parameters)
        : refusalOf(incoming, refused("method_not_allowed"), { Allow: allow });
      // No promise when none is needed: a synchronous answer is sent synchronously.
      if (outcome instanceof Promise) {
        outcome
          .then((it) => send(incoming, outgoing, closingFor(it)))
          .catch((error: unknown) => failed(error, incoming, outgoing));
      } else send(incoming, outgoing, closingFor(outcome));
    } catch (error) {
      failed(error, incoming, outgoing);
    }
    return true;
  };
};
