/** The API's server: the application behind the limits of every process, without reading oversized bodies to their end. */
import type { IncomingMessage, RequestListener } from "node:http";
import { refused } from "@assay/contract";
import {
  closeUnread,
  type FrontHandlers,
  type Listening,
  type ListenOptions,
  listenOn,
  type Readiness,
  requestIdOf,
} from "@assay/process";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { leavesBody } from "./http/body.ts";
import type { RouteDoor } from "./http/rest-door.ts";
import { type Env, faultResponse, refuse } from "./http/send.ts";

type FetchCallback = Parameters<typeof getRequestListener>[0];

const closing = (response: Response, { incoming, outgoing }: HttpBindings): Response => {
  if (!leavesBody(incoming)) return response;
  response.headers.set("Connection", "close");
  closeUnread(outgoing);
  return response;
};

/**
 * Wraps the application: closes the connection after an answer that did not wait for a long body, which Node would read to its
 * end.
 */
const boundedFetch =
  (hono: Hono<Env>) =>
  (request: Request, env: HttpBindings): Response | Promise<Response> => {
    const response = hono.fetch(request, env);
    const { headers } = env.incoming;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return response;
    return response instanceof Promise ? response.then((it) => closing(it, env)) : closing(response, env);
  };

/** A malformed path or host, such as one with a backslash, never becomes a request; it is refused in the usual shape. */
const answerUnreadable = (error: unknown, incoming: IncomingMessage): Response => {
  if (!(error instanceof RequestError)) return faultResponse(requestIdOf(incoming));
  const message = "The path or the host of the request cannot be read.";
  return refuse(incoming, refused("bad_request", { message }), { Connection: "close" });
};

/** A path of the contract and a host that mean what they say. Others are read by the adapter, which decodes or refuses them. */
const PLAIN_PATH = /^\/(?:v1|console|badge|embed)\/[\w/-]+(?:\.\w+)?$/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

const plainPath = (url: string): string | null => {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return PLAIN_PATH.test(path) ? path : null;
};

/**
 * The application as a Node handler: first the door to the contract's routes, then Hono. One adapter per request, so that errors
 * are answered under the request's id.
 */
const listener = (hono: Hono<Env>, door: RouteDoor): RequestListener => {
  const bounded = boundedFetch(hono);
  const fetch = ((request: Request, env: HttpBindings) =>
    door(env.incoming, env.outgoing, () => getPath(request)) ? RESPONSE_ALREADY_SENT : bounded(request, env)) as FetchCallback; // it makes HTTP/1 bindings for a server of node:http
  return (incoming, outgoing) => {
    if (PLAIN_HOST.test(incoming.headers.host ?? "") && door(incoming, outgoing, plainPath)) return;
    const listen = getRequestListener(fetch, { errorHandler: (error) => answerUnreadable(error, incoming) });
    return listen(incoming, outgoing);
  };
};

/** What handles requests besides the Hono application. */
export interface Doors {
  readonly routes?: RouteDoor;
  /** Handlers on the same port that run before everything else. */
  readonly front?: FrontHandlers | undefined;
  readonly readiness?: Readiness | undefined;
}

export type Place = Pick<ListenOptions, "host" | "port" | "maxPipelined">;

/**
 * Listens.
 * @throws AddressError when the address is unavailable
 */
export const listen = (
  hono: Hono<Env>,
  { host, port, maxPipelined }: Place,
  { routes = () => false, front, readiness }: Doors = {},
): Promise<Listening> => {
  const application = listener(hono, routes);
  return listenOn((createServer, settings) => createServer(settings, application), {
    host,
    port,
    maxPipelined,
    front,
    readiness,
  });
};
