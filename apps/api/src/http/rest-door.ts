/** REST: every route of the contract at its path, decoded, called and sent. */
import type { IncomingMessage } from "node:http";
import { type AnswerFormat, type Format, maxBodyBytes, type Route, refused, takesBody } from "@assay/contract";
import { keyOf, requestIdOf } from "@assay/process";
import { after, type FailInput, type Outcome } from "@assay/services";
import type { Context, Hono } from "hono";
import { LRUCache } from "lru-cache";
import { acceptReader } from "./accept.ts";
import { bodyFault, plainFormat, postedReader } from "./body.ts";
import { type Decoder, decoderOf, formatIn, type RawParameters } from "./decode.ts";
import type { MountedRoute, MountedRoutes } from "./routes.ts";
import { type Env, refuse, refuseMethod, toResponse } from "./send.ts";

/** Inputs kept by the URL that asked for them, and the longest URL worth keeping: decoding takes as long as the rest of a call. */
const MAX_INPUTS = 2_000;
const MAX_CHARACTERS = 512;

/** What the door needs besides the routes. */
export interface MountOptions {
  readonly addressOf: (incoming: IncomingMessage) => string;
  /** Base of links to further pages. */
  readonly publicUrl: () => string;
}

const PARAMETER = /\{(\w+)\}([^/]*)/g;

/** Whether a path, as asked for, is that of a route. */
const matcherOf = ({ path }: Route): RegExp => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);

/** Reads what a request asks for from its path and query. */
const parametersReader = ({ path }: Route): ((context: Context<Env>) => RawParameters) => {
  const parameters = [...path.matchAll(PARAMETER)].map(([, name = "", ending = ""]) => ({ name, ending }));
  return ({ req, env: { incoming } }) => {
    const values = parameters.map(({ name, ending }) => [name, (req.param(name) ?? "").slice(0, -ending.length || undefined)]);
    const [, query = ""] = /^[^?]*\?(.*)$/s.exec(incoming.url ?? "") ?? [];
    return { path: Object.fromEntries(values), query };
  };
};

/** The address of another page: the same request, every parameter kept, with its cursor. */
const pageLink = ({ path }: Route, given: RawParameters, cursor: string): string => {
  const asked = new URLSearchParams(given.query);
  asked.set("cursor", cursor);
  return `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.path[name] ?? ""))}?${asked}`;
};

/** Says on an answer that another Accept header may get another one. */
const varying = (outcome: Outcome): Outcome => {
  const { Vary: others } = outcome.headers;
  if (!outcome.error) outcome.headers["Vary"] = others === undefined ? "Accept" : `Accept, ${others}`;
  return outcome;
};

/** Reads the input of a request for one route. */
type ReadInput = (context: Context<Env>, fail: FailInput) => unknown;

/** Reads the input of a route; of one that is read, once for the same URL as long as it is kept. */
const inputReader = (route: Route, read: (context: Context<Env>) => RawParameters, kept: LRUCache<string, object>): ReadInput => {
  if (takesBody(route)) {
    const readPosted = postedReader(route);
    return (context, fail) => readPosted(context.env.incoming, read(context), fail);
  }
  // Made with the first request: the schemas of all routes take a thirtieth of a start.
  let decode: Decoder | undefined;
  const decoded: ReadInput = (context, fail) => {
    decode ??= decoderOf(route);
    return decode(read(context), fail);
  };
  if (route.method !== "GET") return decoded;
  return (context, fail) => {
    const { url = "" } = context.env.incoming;
    const known = kept.get(url);
    if (known) return known;
    const input = Object.freeze(decoded(context, fail) as object); // a route's input is an object
    if (url.length <= MAX_CHARACTERS) kept.set(url, input);
    return input;
  };
};

/** Answers requests. Synchronous when no engine had to be awaited. */
type Handler = (context: Context<Env>) => Response | Promise<Response>;

const handlerOf = (
  { route, invoke }: MountedRoute,
  kept: LRUCache<string, object>,
  { addressOf, publicUrl }: MountOptions,
): Handler => {
  const readParameters = parametersReader(route);
  const readInput = inputReader(route, readParameters, kept);
  const readAccept = acceptReader(route);
  const accepted = (incoming: IncomingMessage) => readAccept?.(incoming.headers.accept) ?? plainFormat(route, incoming);
  const maxBytes = maxBodyBytes(route);
  return (context) => {
    const { incoming } = context.env;
    const { headers } = incoming;
    const fault = bodyFault(incoming, maxBytes);
    if (fault) return refuse(incoming, fault);
    const idempotencyKey = headers["idempotency-key"];
    let chosen: AnswerFormat | undefined;
    let format: { readonly of: Format | undefined } | undefined;
    const outcome = invoke({
      requestId: requestIdOf(incoming),
      ip: addressOf(incoming),
      key: keyOf(incoming),
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
      ifNoneMatch: headers["if-none-match"],
      acceptEncoding: headers["accept-encoding"],
      traceparent: headers["traceparent"] as string | undefined, // Node joins repeated ones
      readInput: (fail) =>
        after(readInput(context, fail), (input) => {
          chosen = formatIn(input);
          return input;
        }),
      format: () => {
        // Asked for by the verb and for the answer.
        format ??= { of: chosen === undefined ? accepted(incoming) : chosen === "json" ? undefined : chosen };
        return format.of;
      },
      pageLink: (cursor) => `${publicUrl()}${pageLink(route, readParameters(context), cursor)}`,
    });
    return after(outcome, (it) => toResponse(readAccept !== null && chosen === undefined ? varying(it) : it));
  };
};

/** A route, its handler, and which paths are its own. */
interface Placed {
  readonly route: Route;
  readonly handler: Handler;
  readonly matcher: RegExp;
}

const isFixed = ({ route }: Placed): boolean => !route.path.includes("{");

/**
 * Puts a route at its path. Hono's fast router knows neither endings behind a parameter nor a path that another one's parameter would
 * match: `/badge/sources.svg` and `/badge/{metal}.svg` are told apart here.
 * @param within the routes of fixed paths that it would match
 */
const put = (app: Hono<Env>, { route, handler, matcher }: Placed, within: readonly Placed[]): void => {
  const { method, path } = route;
  const exact = new Map<string, Handler>(within.map((other) => [other.route.path, other.handler]));
  const told: Handler = (context) => {
    const { path: asked } = context.req;
    return (exact.get(asked) ?? (matcher.test(asked) ? handler : () => context.notFound()))(context);
  };
  app.on(method, path.replaceAll(PARAMETER, ":$1"), exact.size === 0 && !/\}[^/]+$/.test(path) ? handler : told);
};

/** Puts every route at its path, and answers paths and methods unknown to the application. */
export const mount = (app: Hono<Env>, routes: MountedRoutes, options: MountOptions): void => {
  const kept = new LRUCache<string, object>({ max: MAX_INPUTS });
  const all = Object.values(routes)
    .flatMap((actions) => Object.values(actions))
    .map((mounted): Placed => {
      const { route } = mounted;
      return { route, handler: handlerOf(mounted, kept, options), matcher: matcherOf(route) };
    });
  for (const placed of all) {
    const { route, matcher } = placed;
    const others = all.filter((other) => other !== placed && other.route.method === route.method);
    const isWithin = isFixed(placed) && others.some((other) => other.matcher.test(route.path));
    if (!isWithin)
      put(
        app,
        placed,
        others.filter((other) => isFixed(other) && matcher.test(other.route.path)),
      );
  }
  app.notFound(({ req, env: { incoming } }) => {
    const methods = all.filter(({ matcher }) => matcher.test(req.path)).map(({ route }) => route.method);
    const allow = new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])));
    if (allow.size === 0 || allow.has(req.method)) return refuse(incoming, refused("not_found"));
    return refuseMethod(incoming, [...allow].sort().join(", "));
  });
};
