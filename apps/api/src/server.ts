/** The API's socket: the application behind the bounds every process has, reading no long body to its end. */
import type { IncomingMessage, RequestListener } from "node:http";
import { type Beside, type Listening, listenOn, requestIdOf } from "@assay/config";
import { Refusal } from "@assay/contract";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import { announcesTooMuch } from "./http/body.ts";
import { type Env, faultResponse, refuse } from "./http/mount.ts";

type FetchCallback = Parameters<typeof getRequestListener>[0];

/** Whether more of a request is to come than anybody will read. */
const leavesBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || announcesTooMuch(headers["content-length"]));

const closing = (response: Response): Response => {
  response.headers.set("Connection", "close");
  return response;
};

/** The application, ending a connection behind an answer that did not wait for a long body: Node would read on to its end. */
const boundedFetch =
  (hono: Hono<Env>) =>
  (request: Request, env: HttpBindings): Response | Promise<Response> => {
    const response = hono.fetch(request, env);
    const { headers } = env.incoming;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return response;
    if (response instanceof Promise) return response.then((it) => (leavesBody(env.incoming) ? closing(it) : it));
    return leavesBody(env.incoming) ? closing(response) : response;
  };

/** A path or host that cannot be read, such as one with a backslash, never becomes a request; it is refused in the same form. */
const answerUnreadable = (error: unknown, incoming: IncomingMessage): Response => {
  if (!(error instanceof RequestError)) return faultResponse(requestIdOf(incoming));
  const message = "The path or the host of the request cannot be read.";
  return refuse(incoming, new Refusal("bad_request", { message }), { Connection: "close" });
};

/** The application as Node calls it. A listener a request, because only so an error is answered under the request's id. */
const listener = (hono: Hono<Env>): RequestListener => {
  const fetch = boundedFetch(hono) as FetchCallback; // it makes HTTP/1 bindings for a server of node:http
  return (incoming, outgoing) => {
    const listen = getRequestListener(fetch, { errorHandler: (error) => answerUnreadable(error, incoming) });
    return listen(incoming, outgoing);
  };
};

/**
 * Listens.
 * @param port 0 takes any free one
 * @param beside what is served on the same port ahead of the application
 * @throws AddressError when the address cannot be had
 */
export const listen = (hono: Hono<Env>, host: string, port: number, beside?: Beside): Promise<Listening> => {
  const application = listener(hono);
  return listenOn((createServer, settings) => createServer(settings, application), { host, port, beside });
};
