/**
 * The HTTP server in front of an application: limits on headers and time, other handlers on the same port, orderly shutdown.
 */
import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Readiness } from "../telemetry/readiness.ts";
import { requestIdOf, timesSent } from "./client.ts";
import { listenAt, type PortSetting } from "./listen-at.ts";
import { watchStalled } from "./stalled.ts";
import { isWebSocketUpgrade, withoutUpgrade } from "./upgrade.ts";

/** Limits on the size of request headers and on the time they may take to arrive. */
const MAX_HEADER_BYTES = 8 * 1024;
/**
 * No limit on the count: the byte limit bounds it. Beyond a count limit Node silently drops headers, including Content-Length
 * or X-Forwarded-For.
 */
const MAX_HEADERS = 0;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_INTERVAL_MS = 1_000;

/** What the sender of a malformed request reads. */
const MALFORMED = {
  400: "The request is not valid HTTP.",
  408: "The request did not arrive in time.",
  431: "The request line and headers are larger than 8 KiB.",
} as const;

/** Handlers on the same port that run before the application. */
export interface Beside {
  /** Answers a request, or leaves it to the application. */
  request(...exchange: Parameters<RequestListener>): boolean;
  /** Takes over a WebSocket request, or leaves it to be answered as a plain one. */
  upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): boolean;
}

/** Creates a server, by `createServer` or a function that calls it. */
export type MakeServer = (create: typeof createServer, options: ServerOptions) => Server;

/** A listening server. */
export interface Listening {
  readonly server: Server;
  readonly port: number;
  /**
   * Closes it: no new connections, idle ones closed at once, busy ones after their answer, and the rest after the given time.
   */
  close(drainMs: number): Promise<void>;
}

/** Node counts a connection that has never sent anything as busy. */
const closeSilent = (connections: ReadonlySet<Socket>): void => {
  for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
};

const closeServer = (server: Server, connections: ReadonlySet<Socket>, drainMs: number): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => {
      server.closeAllConnections();
      // The server no longer tracks upgraded connections, yet it waits for them.
      for (const connection of connections) connection.destroy();
    }, drainMs);
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

/** The answer to malformed HTTP, or to headers over the limits. */
const refusalOf = (status: keyof typeof MALFORMED, requestId: string) => {
  const body = JSON.stringify({ error: "bad_request", message: MALFORMED[status], request_id: requestId });
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
    Connection: "close",
  };
  return { headers, body };
};

/** It never reaches the application, but is answered in the same shape. */
const answerMalformed = (error: NodeJS.ErrnoException, connection: Duplex): void => {
  if (error.code === "ECONNRESET" || !connection.writable) {
    connection.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const { headers, body } = refusalOf(status, randomUUID());
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  connection.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n")}\r\n\r\n${body}`);
};

/** Whether a request names exactly one host: two are ambiguous. HTTP/1.0 needs none, and plain liveness probes send none. */
const namesOneHost = (incoming: IncomingMessage): boolean => {
  const hosts = timesSent(incoming, "host");
  return hosts === 1 || (hosts === 0 && incoming.httpVersion === "1.0");
};

/** `createServer`, with requests refused or answered before the application. */
const askingFirst = (beside: Beside | undefined, readiness: Readiness | undefined): typeof createServer =>
  // One arrow function cannot express createServer's overloads; this is the one called.
  ((options: ServerOptions, application?: RequestListener) =>
    createServer(options, (incoming, outgoing) => {
      if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost";
      if (!namesOneHost(incoming)) {
        const { headers, body } = refusalOf(400, requestIdOf(incoming));
        outgoing.writeHead(400, headers).end(body);
      } else if (readiness && incoming.url === READY_PATH) answerReady(readiness, outgoing);
      else if (!beside?.request(incoming, outgoing)) application?.(incoming, outgoing);
    })) as typeof createServer;

/**
 * Passes upgrade requests to the other handlers, and the rest back to the server. One pipelined behind a request that is still
 * unanswered closes the connection: its answer would overtake the earlier one.
 */
const takeUpgrades = (server: Server, beside: Beside): void => {
  const lastAnswers = new WeakMap<Socket, ServerResponse>();
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    lastAnswers.set(socket, response);
  });
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (lastAnswers.get(socket)?.writableFinished === false) socket.destroy();
    else if (!isWebSocketUpgrade(incoming) || !beside.upgrade(incoming, socket, head)) {
      withoutUpgrade(server, incoming, socket, head);
    }
  });
};

/** The path of readiness. */
const READY_PATH = "/ready";

/** Answers whether the process is ready. */
const answerReady = (readiness: Readiness, outgoing: ServerResponse): void => {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  readiness.read().then(
    (report) => outgoing.writeHead(report.ready ? 200 : 503, headers).end(JSON.stringify(report)),
    () => outgoing.writeHead(500).end(),
  );
};

/** Where to listen, and the handlers that run before the application. */
export interface ListenOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** The setting the port comes from. */
  readonly setting?: PortSetting;
  readonly beside?: Beside | undefined;
  /** Answered at `/ready`. */
  readonly readiness?: Readiness | undefined;
}

/**
 * Listens. Every server of the service uses this function, so that the same limits apply to each.
 * @param make creates the server around the application
 * @throws AddressError when the address is unavailable
 */
export const listenOn = async (
  make: MakeServer,
  { host, port, setting = "PORT", beside, readiness }: ListenOptions,
): Promise<Listening> => {
  const server = make(askingFirst(beside, readiness), {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node's own refusal has no request id.
    requireHostHeader: false,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.on("clientError", answerMalformed);
  if (beside) takeUpgrades(server, beside);
  // Expectations other than 100-continue are ignored, as HTTP allows: Node's refusal has no request id.
  server.on("checkExpectation", (...exchange: Parameters<RequestListener>) => server.emit("request", ...exchange));
  const connections = new Set<Socket>();
  server.on("connection", (connection: Socket) => {
    if (connections.has(connection)) return;
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  await listenAt(server, host, port, setting);
  const stalled = watchStalled(connections);
  server.once("close", () => stalled.stop());
  const address = server.address() as AddressInfo; // it listens on a port, not a pipe
  return { server, port: address.port, close: (drainMs) => closeServer(server, connections, drainMs) };
};
