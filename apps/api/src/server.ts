/** The socket in front of the application: bounds on headers and time, and an orderly end. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { announcesTooMuch } from "./http/body.ts";
import type { Env } from "./http/mount.ts";

type FetchCallback = Parameters<typeof createAdaptorServer>[0]["fetch"];

/** Headers of a request may take this much, and this long to arrive. */
const MAX_HEADER_BYTES = 8 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_INTERVAL_MS = 1_000;

/** What the sender of a request that is none reads. */
const MALFORMED = {
  400: "The request is not valid HTTP.",
  408: "The request did not arrive in time.",
  431: "The request line and headers are larger than 8 KiB.",
} as const;

/** A listening server. */
export interface Listening {
  readonly server: Server;
  readonly port: number;
  /**
   * Ends it: no new connections, idle ones closed at once, busy ones as their answer is sent, and the rest after the time given.
   */
  close(drainMs: number): Promise<void>;
}

/** Node takes a connection that has never sent anything for a busy one. */
const closeSilent = (connections: ReadonlySet<Socket>): void => {
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
};

const closeServer = (server: Server, connections: ReadonlySet<Socket>, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      closeSilent(connections);
    }, 50);
    server.close(() => {
      clearTimeout(force);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });

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

/** What is no HTTP, or too much of it, never reaches the application; it is answered in the same form all the same. */
const answerMalformed = (error: NodeJS.ErrnoException, connection: Duplex): void => {
  if (error.code === "ECONNRESET" || !connection.writable) {
    connection.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const requestId = randomUUID();
  const body = JSON.stringify({ error: "bad_request", message: MALFORMED[status], request_id: requestId });
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  connection.end(`${headers.join("\r\n")}\r\n\r\n${body}`);
};

/**
 * Listens.
 * @param port 0 takes any free one
 * @throws the system's error when the address cannot be had
 */
export const listen = async (hono: Hono<Env>, host: string, port: number): Promise<Listening> => {
  // Without HTTP/2 options the adaptor makes a node:http server.
  const server = createAdaptorServer({
    // It makes HTTP/1 bindings, as the server above is one.
    fetch: boundedFetch(hono) as FetchCallback,
    createServer,
    serverOptions: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
  }) as Server;
  server.on("clientError", answerMalformed);
  // HTTP/1.0 needs no Host, and plain liveness probes send none.
  server.prependListener("request", (incoming: IncomingMessage) => {
    if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost";
  });
  const connections = new Set<Socket>();
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return { server, port: address.port, close: (drainMs) => closeServer(server, connections, drainMs) };
};
