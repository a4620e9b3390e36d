/** The socket in front of the application: bounds on headers and time, and an orderly end. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
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
