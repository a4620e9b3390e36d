/** The HTTP server in front of an application: limits on headers and time, other handlers on the same port, orderly shutdown. */
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
import { refusalBody, refused } from "@assay/contract";
import type { Readiness } from "../telemetry/readiness.ts";
import { namesOneHost, requestIdOf } from "./client.ts";
import { admitRequest, endLate, endMalformed, isEnding, judgeLate, openPipeline, PipelinedMessage } from "./pipeline.ts";
import { watchStalled } from "./stalled.ts";
import { type TakeUpgrade, takeUpgrades } from "./upgrade.ts";

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
/** How long a connection may have nothing to read or write before its answer: longer than the longest call, an agent's of a minute. */
const SILENT_MS = 75_000;
const CHECK_INTERVAL_MS = 1_000;

/** Handlers on the same port that run before the application. */
export interface FrontHandlers {
  /** Answers a request, or leaves it to the application. */
  request(...exchange: Parameters<RequestListener>): boolean;
  readonly upgrade: TakeUpgrade;
}

/** Creates a server, by `createServer` or a function that calls it. */
export type MakeServer = (create: typeof createServer, options: ServerOptions) => Server;

export interface Listening {
  readonly server: Server;
  readonly port: number;
  /** Closes it: no new connections, idle ones closed at once, busy ones after their answer, and the rest after the given time. */
  close(drainMs: number): Promise<void>;
}

/** The settings that name a port to listen on; each uses the host in `HOST`. */
export type PortSetting = "PORT" | "METRICS_PORT";

/** Connections the kernel queues until they are accepted. With Node's 511 a burst of reconnecting clients overflows it. */
const BACKLOG = 4_096;

/** An address that cannot be listened on. The message is one line naming the settings it comes from. */
class AddressError extends Error {
  override readonly name = "AddressError";

  constructor(setting: PortSetting, fault: Error) {
    const isTaken = "code" in fault && fault.code === "EADDRINUSE";
    super(`${setting} and HOST name an address that ${isTaken ? "is in use" : "cannot be listened on"}: ${fault.message}`);
  }
}

/**
 * Listens on an address of the settings.
 * @param port 0 picks any free port
 * @throws AddressError when the address is unavailable
 */
const listenAt = (server: Server, host: string, port: number, setting: PortSetting): Promise<void> =>
  new Promise((resolve, reject) => {
    const refuse = (fault: Error): void => reject(new AddressError(setting, fault));
    server.once("error", refuse);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off("error", refuse);
      resolve();
    });
  });

/** The address of a service that listens on a host and a port. */
export const urlOf = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;

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

/** What the sender of a malformed request reads. */
const MALFORMED = {
  400: "The request is not valid HTTP.",
  408: "The request did not arrive in time.",
  431: "The request line and headers are larger than 8 KiB.",
  501: "The body has a transfer coding other than chunked.",
} as const;

/** The answer to malformed HTTP, to headers over the limits, or to a body that cannot be read. */
const malformed = (status: keyof typeof MALFORMED, requestId: string) => {
  const body = JSON.stringify(refusalBody(refused("bad_request", { message: MALFORMED[status] }), requestId));
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
  const socket = connection as Socket; // these servers listen on ports only
  if (isEnding(socket) && error.code !== "ECONNRESET") return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : isLate ? 408 : 400;
  (isLate ? endLate : endMalformed)(socket, () => {
    const { headers, body } = malformed(status, randomUUID());
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n")}\r\n\r\n${body}`;
  });
};

const READY_PATH = "/ready";

const answerReady = (readiness: Readiness, outgoing: ServerResponse): void => {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  readiness.read().then(
    (report) => outgoing.writeHead(report.ready ? 200 : 503, headers).end(JSON.stringify(report)),
    () => outgoing.writeHead(500).end(),
  );
};

/** Whether the body, if any, is as it was sent but for its chunks: what is compressed below it would be read as it stands. */
const hasKnownCoding = ({ headers: { "transfer-encoding": coding = "chunked" } }: IncomingMessage): boolean =>
  coding.toLowerCase() === "chunked";

/** `createServer`, with requests refused or answered before the application. */
const askingFirst = (front: FrontHandlers | undefined, readiness: Readiness | undefined): typeof createServer =>
  // One arrow function cannot express createServer's overloads; this is the one called.
  ((options: ServerOptions, application?: RequestListener) =>
    createServer(options, (incoming, outgoing) => {
      if (!admitRequest(outgoing)) return;
      if (incoming.httpVersion === "1.0") incoming.headers.host ??= "localhost";
      const status = !namesOneHost(incoming) ? 400 : !hasKnownCoding(incoming) ? 501 : null;
      if (status !== null) {
        const { headers, body } = malformed(status, requestIdOf(incoming));
        outgoing.writeHead(status, headers).end(body);
      } else if (readiness && incoming.url === READY_PATH) answerReady(readiness, outgoing);
      else if (!front?.request(incoming, outgoing)) application?.(incoming, outgoing);
    })) as typeof createServer;

/** Where to listen, and the handlers that run before the application. */
export interface ListenOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  /** Requests of one connection that may wait for their answers. */
  readonly maxPipelined: number;
  readonly setting?: PortSetting;
  readonly front?: FrontHandlers | undefined;
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
  { host, port, maxPipelined, setting = "PORT", front, readiness }: ListenOptions,
): Promise<Listening> => {
  const server = make(askingFirst(front, readiness), {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Node's own refusal has no request id.
    requireHostHeader: false,
    IncomingMessage: PipelinedMessage,
  });
  server.maxHeadersCount = MAX_HEADERS;
  server.timeout = SILENT_MS;
  server.on("timeout", (socket) => judgeLate(socket, (hasSent) => void (hasSent || socket.destroy())));
  server.on("clientError", answerMalformed);
  takeUpgrades(server, front?.upgrade);
  // Expectations other than 100-continue are ignored, as HTTP allows: Node's refusal has no request id.
  server.on("checkExpectation", (...exchange: Parameters<RequestListener>) => server.emit("request", ...exchange));
  const connections = new Set<Socket>();
  server.on("connection", (connection: Socket) => {
    if (connections.has(connection)) return;
    connections.add(connection);
    openPipeline(connection, maxPipelined);
    connection.once("close", () => connections.delete(connection));
  });
  await listenAt(server, host, port, setting);
  server.once("close", watchStalled(connections));
  const address = server.address() as AddressInfo; // it listens on a port, not a pipe
  return { server, port: address.port, close: (drainMs) => closeServer(server, connections, drainMs) };
};
