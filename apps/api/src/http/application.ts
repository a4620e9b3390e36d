/** The Hono application that doors are mounted on. It answers requests of a server, and those that come without one. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Env } from "./send.ts";

/** What doors read of Node's request, for one that came without a server. */
const unserved = (request: Request): HttpBindings => {
  const { pathname, search } = new URL(request.url);
  const body = request.body ? Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([]); // its other type
  const incoming = Object.assign(body, {
    method: request.method,
    url: pathname + search,
    headers: Object.fromEntries(request.headers),
    rawHeaders: [...request.headers].flat(),
    httpVersion: "1.1",
    socket: { remoteAddress: "127.0.0.1", destroyed: false },
    complete: request.body === null,
  });
  return { incoming: incoming as unknown as IncomingMessage, outgoing: { socket: {} } } as HttpBindings; // what doors use of them
};

/** Creates an application; `request(path)` calls it without a server, as tests do. */
export const createHono = (): Hono<Env> => {
  const hono = new Hono<Env>();
  const { fetch } = hono;
  hono.fetch = (request, env, context) => fetch(request, env ?? unserved(request), context);
  return hono;
};
