/** The Hono application that doors are mounted on. It answers requests of a server, and those that come without one. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Env } from "./send.ts";

/** Node's request and response, for a request that came without a server. */
const unserved = (request: Request): HttpBindings => {
  const { pathname, search } = new URL(request.url);
  const incoming = new IncomingMessage(new Socket());
  Object.assign(incoming, { method: request.method, url: pathname + search, httpVersion: "1.1", complete: true });
  incoming.headers = Object.fromEntries(request.headers);
  incoming.rawHeaders = [...request.headers].flat();
  request.arrayBuffer().then(
    (body) => {
      incoming.push(Buffer.from(body));
      incoming.push(null);
    },
    (error: Error) => incoming.destroy(error),
  );
  return { incoming, outgoing: new ServerResponse(incoming) };
};

/** Creates an application; `request(path)` calls it without a server, as tests do. */
export const createHono = (): Hono<Env> => {
  const hono = new Hono<Env>();
  const { fetch } = hono;
  hono.fetch = (request, env, context) => fetch(request, env ?? unserved(request), context);
  return hono;
};
