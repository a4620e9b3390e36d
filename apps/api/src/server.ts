/** The API's server: the application behind the limits of every process, without reading oversized bodies to their end. */
import type { IncomingMessage, RequestListener } from "node:http";
import { refused } from "@assay/contract";
import { type Beside, type Listening, listenOn, requestIdOf } from "@assay/process";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { announcesTooMuch } from "./http/body.ts";
import { type Env, faultResponse, refuse } from "./http/mount.ts";

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** Whether more of the request is to come than will be read. */
const leavesBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || announcesTooMuch(headers["content-length"]));

const closing = (response: Response): Response => {
  response.headers.set("Connection", "close");
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
    if (response instanceof Promise) return response.then((it) => (leavesBody(env.incoming) ? closing(it) : it));
    return leavesBody(env.incoming) ? closing(response) : response;
  };

/** A malformed path or host, such as one with a backslash, never becomes a request; it is refused in the usual shape. */
const answerUnreadable = (error: unknown, incoming: IncomingMessage): Response => {
  if (!(error instanceof RequestError)) return faultResponse(requestIdOf(incoming));
  const message = "The path or the host of the request cannot be read.";
  return refuse(incoming, refused("bad_request", { message }), { Connection: "close" });
};

/** The application as a Node handler. One listener per request, so that errors are answered under the request's id. */
const listener = (hono: Hono<Env>): RequestListener => {
  const fetch = boundedFetch(hono) as FetchCallback; // it makes HTTP/1 bindings for a server of node:http
  return (incoming, outgoing) => {
    const listen = getRequestListener(fetch, { errorHandler: (error) => answerUnreadable(error, incoming) });
    return listen(incoming, outgoing);
  };
};

/**
 * Listens.
 * @param port 0 picks any free port
 * @param beside handlers on the same port that run before the application
 * @throws AddressError when the address is unavailable
 */
export const listen = (hono: Hono<Env>, host: string, port: number, beside?: Beside): Promise<Listening> => {
  const application = listener(hono);
  return listenOn((createServer, settings) => createServer(settings, application), { host, port, beside });
};
