/** REST: every route of the contract, each a thin wrapper around the pipeline. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AnswerFormat, type Contract, type Refused, type Route, refused } from "@assay/contract";
import { keyOf, type RouteWatch, requestIdOf, type Telemetry } from "@assay/process";
import {
  type AnyVerb,
  type Invoke,
  invoker,
  type Outcome,
  type PipelineDeps,
  refusalOutcome,
  type TransportGate,
} from "@assay/services";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { acceptReader } from "./accept.ts";
import { announcesTooMuch, readJsonBody } from "./body.ts";
import { type Decoder, decoderOf, formatIn } from "./decode.ts";
import { keepingInputs } from "./kept-inputs.ts";
import { send, toResponse } from "./send.ts";
import { type Target, targetsOf } from "./targets.ts";

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

/** The status of an unexpected error. */
const FAULT = 500;

/** Counts a route's answers by their duration, each in a span when there are traces. */
const watched = (invoke: Invoke, { observe, trace }: RouteWatch): Invoke => {
  const timed: Invoke = (call) => {
    const startedMs = performance.now();
    const seconds = (): number => (performance.now() - startedMs) / 1_000;
    const fault = (error: unknown): never => {
      observe(FAULT, seconds());
      throw error;
    };
    try {
      const outcome = invoke(call);
      if (outcome instanceof Promise) {
        return outcome.then((it) => {
          observe(it.status, seconds());
          return it;
        }, fault);
      }
      observe(outcome.status, seconds());
      return outcome;
    } catch (error) {
      return fault(error);
    }
  };
  return trace ? (call) => trace(call, () => timed(call)) : timed;
};

/**
 * Wraps every verb of a contract in the pipeline.
 * @param gate what a transport requires of callers beyond each route
 */
export const prepare = (
  contract: Contract,
  verbs: AnyVerbs,
  deps: PipelineDeps,
  watchRoute: Telemetry["watchRoute"] = null,
  gate?: TransportGate,
): Record<string, Record<string, MountedRoute>> =>
  Object.fromEntries(
    Object.entries(contract).map(([resource, routes]) => [
      resource,
      Object.fromEntries(
        Object.entries(routes).map(([action, route]) => {
          const verb = verbs[resource]?.[action];
          if (!verb) throw new Error(`no verb for ${resource}.${action}`);
          const invoke = invoker(route, verb, deps, gate);
          return [action, { route, invoke: watchRoute ? watched(invoke, watchRoute(route.method, route.path)) : invoke }];
        }),
      ),
    ]),
  );

/** The pipeline of a route, for a door of its own form. */
export const invokeOf = (routes: Record<string, Record<string, MountedRoute>>, resource: string, action: string): Invoke => {
  const mounted = routes[resource]?.[action];
  if (!mounted) throw new Error(`no route ${resource}.${action}`);
  return mounted.invoke;
};

/** A refusal of a request. */
const refusalOf = (incoming: IncomingMessage, refusal: Refused, headers: Record<string, string> = {}): Outcome =>
  refusalOutcome(refusal, requestIdOf(incoming), headers);

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

type AddressOf = (incoming: IncomingMessage) => string;

/** Answers a request for one route. Synchronous when no engine had to be awaited. */
type Answer = (incoming: IncomingMessage, target: Target<Place>) => Outcome | Promise<Outcome>;

/** The routes of one path by method, and its Allow header. */
interface Place {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly allow: string;
}

/** What the door needs besides the routes. */
export interface MountOptions {
  /** The client's address. */
  readonly addressOf: AddressOf;
  /** Base of links to further pages. */
  readonly publicUrl: () => string;
  /** Receives unexpected errors, which are answered with a plain 500. */
  readonly onFault?: (error: unknown, requestId: string) => void;
}

/** The address of another page: the same request, every parameter kept, with its cursor. */
const pageLink = ({ path }: Route, target: Target<Place>, cursor: string): string => {
  const asked = new URLSearchParams(target.query);
  asked.set("cursor", cursor);
  return `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(target.path[name] ?? ""))}?${asked}`;
};

/** Says on an answer that another Accept header may get another one. */
const varying = (outcome: Outcome): Outcome => {
  if (!outcome.error) outcome.headers["Vary"] = "Accept";
  return outcome;
};

const answerOf = ({ route, invoke }: MountedRoute, { addressOf, publicUrl }: MountOptions): Answer => {
  const readsBody = route.method === "POST";
  // Made with the first request: the schemas of all routes take a thirtieth of a start.
  let decoder: Decoder | undefined;
  const decode: Decoder = (raw, fail) => {
    decoder ??= readsBody ? decoderOf(route) : keepingInputs(decoderOf(route));
    return decoder(raw, fail);
  };
  const readAccept = acceptReader(route);
  return (incoming, target) => {
    const { headers } = incoming;
    if (announcesTooMuch(headers["content-length"])) return refusalOf(incoming, refused("payload_too_large"));
    const idempotencyKey = headers["idempotency-key"];
    let chosen: AnswerFormat | undefined;
    const outcome = invoke({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      ifNoneMatch: headers["if-none-match"],
      acceptEncoding: headers["accept-encoding"],
      traceparent: headers["traceparent"] as string | undefined, // Node joins repeated ones
      readInput: readsBody
        ? async (fail) => decode({ ...target, body: await readJsonBody(incoming, fail) }, fail)
        : (fail) => {
            const input = decode(target, fail);
            chosen = formatIn(input);
            return input;
          },
      format: () => (chosen === undefined ? readAccept?.(headers.accept) : chosen === "json" ? undefined : chosen),
      pageLink: (cursor) => `${publicUrl()}${pageLink(route, target, cursor)}`,
    });
    if (readAccept === null) return outcome;
    const noted = (it: Outcome): Outcome => (chosen === undefined ? varying(it) : it);
    return outcome instanceof Promise ? outcome.then(noted) : noted(outcome);
  };
};

const placeOf = (mounted: readonly MountedRoute[], options: MountOptions): Place => {
  const answers = new Map<string, Answer>();
  for (const each of mounted) {
    const answer = answerOf(each, options);
    answers.set(each.route.method, answer);
    if (each.route.method === "GET") answers.set("HEAD", answer);
  }
  return { answers, allow: [...answers.keys()].sort().join(", ") };
};

/**
 * Answers a request for a path of the contract, on Node's own objects: as a fetch request and response it would cost as much
 * again as the whole pipeline.
 * @param readPath reads the path from the URL, decoded except for what separates its parts; null leaves it unanswered
 * @returns false, and nothing is answered, when the contract has no such path
 */
export type RouteDoor = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  readPath: (url: string) => string | null,
) => boolean;

/** Creates the door to every route, and answers paths unknown to the application. */
export const mount = (app: Hono<Env>, routes: Record<string, Record<string, MountedRoute>>, options: MountOptions): RouteDoor => {
  const { onFault = () => {} } = options;
  app.notFound(({ env }) => refuse(env.incoming, refused("not_found")));
  const byPath = new Map<string, MountedRoute[]>();
  for (const mounted of Object.values(routes).flatMap((actions) => Object.values(actions))) {
    byPath.set(mounted.route.path, [...(byPath.get(mounted.route.path) ?? []), mounted]);
  }
  const find = targetsOf(new Map([...byPath].map(([path, mounted]) => [path, placeOf(mounted, options)])));

  const failed = (error: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const requestId = requestIdOf(incoming);
    onFault(error, requestId);
    send(incoming, outgoing, faultOutcome(requestId));
  };
  return (incoming, outgoing, readPath) => {
    const target = find(incoming.url ?? "", readPath);
    if (!target) return false;
    const { answers, allow } = target.place;
    const answer = answers.get(incoming.method ?? "");
    try {
      const outcome = answer ? answer(incoming, target) : refusalOf(incoming, refused("method_not_allowed"), { Allow: allow });
      // No promise when none is needed: a synchronous answer is sent synchronously.
      if (outcome instanceof Promise) {
        outcome.then((it) => send(incoming, outgoing, it)).catch((error: unknown) => failed(error, incoming, outgoing));
      } else send(incoming, outgoing, outcome);
    } catch (error) {
      failed(error, incoming, outgoing);
    }
    return true;
  };
};
