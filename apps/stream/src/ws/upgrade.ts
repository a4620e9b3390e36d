/** The WebSocket handshake: `ws` does it, and what it refuses is answered as plain HTTP in the form of all answers. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { requestIdOf } from "@assay/config";
import { ERRORS, STREAM_LIMITS, STREAM_PATH } from "@assay/contract";
import { type WebSocket, WebSocketServer } from "ws";
import { SessionSocket } from "./session-socket.ts";

/** Pieces a frame may be torn into. */
const MAX_FRAGMENTS = 64;

/** What a handshake that is refused is answered with. */
interface Refused {
  readonly status: number;
  readonly error: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers on a socket that no server looks after any more, and ends it. */
const answer = (incoming: IncomingMessage, socket: Socket, { status, error, message, headers = {} }: Refused): void => {
  const requestId = requestIdOf(incoming);
  const body = JSON.stringify({ error, message, request_id: requestId });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Cache-Control: no-store",
    "Connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.once("finish", () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
};

/** What handshakes are done with. */
export interface UpgradeOptions {
  readonly closeWithinMs: number;
  readonly isDraining: () => boolean;
  readonly onOpen: (ws: SessionSocket, socket: Socket, incoming: IncomingMessage) => void;
}

/** Whether a request is for the stream's path. */
export const isStreamPath = ({ url = "" }: IncomingMessage): boolean => url === STREAM_PATH || url.startsWith(`${STREAM_PATH}?`);

/** Prepares the taking over of connections; a request for another path is left to be answered as a plain one. */
export const upgrader = ({ closeWithinMs, isDraining, onOpen }: UpgradeOptions) => {
  const bounds = {
    maxPayload: STREAM_LIMITS.maxFrameBytes,
    maxFragments: MAX_FRAGMENTS,
    maxPendingAutoPongs: STREAM_LIMITS.maxFrames,
    closeTimeout: closeWithinMs,
  };
  const fixed = { noServer: true, clientTracking: false, perMessageDeflate: false, handleProtocols: () => false as const };
  const server = new WebSocketServer({ ...fixed, ...bounds, WebSocket: SessionSocket });
  server.on("headers", (headers, incoming) => headers.push(`X-Request-Id: ${requestIdOf(incoming)}`));
  server.on("wsClientError", (error, socket, incoming) => {
    const isVersion = error.message.includes("Sec-WebSocket-Version");
    const headers = isVersion ? { "Sec-WebSocket-Version": "13" } : {};
    if (incoming.method !== "GET") {
      const message = ERRORS.method_not_allowed.message;
      answer(incoming, socket as Socket, { status: 405, error: "method_not_allowed", message, headers: { Allow: "GET" } });
      return;
    }
    const status = isVersion ? 426 : 400;
    // It was a plain socket when it was handed to the server.
    answer(incoming, socket as Socket, {
      status,
      error: "bad_request",
      message: `The handshake is not valid: ${error.message}.`,
      headers,
    });
  });
  return (incoming: IncomingMessage, socket: Socket, head: Buffer): boolean => {
    if (!isStreamPath(incoming)) return false;
    if (isDraining()) {
      const headers = { "Retry-After": "1" };
      answer(incoming, socket, {
        status: 503,
        error: "service_unavailable",
        message: "The server is going down; reconnect.",
        headers,
      });
      return true;
    }
    server.handleUpgrade(incoming, socket, head, (ws: WebSocket) => {
      // The server makes sockets of the class it was given.
      onOpen(ws as SessionSocket, socket, incoming);
    });
    return true;
  };
};
