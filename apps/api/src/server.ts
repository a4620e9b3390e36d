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
import type { Hono } from "hono";
import { leavesBody } from "./http/body.ts";
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

/** The application as a Node handler. One adapter per request, so that errors are answered under the request's id. */
const listener = (hono: Hono<Env>): RequestListener => {
  const fetch = boundedFetch(hono) as FetchCallback; // it makes HTTP/1 bindings for a server of node:http
  return (incoming, outgoing) =>
    getRequestListener(fetch, { errorHandler: (error) => answerUnreadable(error, incoming) })(incoming, outgoing);
};

/** What handles requests besides the application. */
export interface Doors {
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
  { front, readiness }: Doors = {},
): Promise<Listening> => {
  const application = listener(hono);
  return listenOn((createServer, settings) => createServer(settings, application), {
    host,
    port,
    maxPipelined,
    front,
    readiness,
  });
};
