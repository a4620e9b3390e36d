/** The WebSocket handshake: done by `ws`; its refusals are sent as plain HTTP in the API's usual shape. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { refused, STREAM_CLOSES, STREAM_LIMITS, STREAM_PATH } from "@assay/contract";
import { requestIdOf } from "@assay/process";
import { type Outcome, refusalOutcome } from "@assay/services";
import { type WebSocket, WebSocketServer } from "ws";
import { SessionSocket } from "./session-socket.ts";

/** The most fragments a message may consist of. */
const MAX_FRAGMENTS = 64;

/** The only protocol version supported; `ws` would also accept a draft of it. */
const VERSION = "13";

/** Answers on a socket that no server handles any more, and closes it. */
const answer = (socket: Socket, { status, headers, body }: Outcome): void => {
  const text = String(body);
  const connection = "Upgrade" in headers ? "Upgrade, close" : "close";
  const all = { ...headers, "Content-Length": Buffer.byteLength(text), Connection: connection };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.once("finish", () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join("\r\n")}\r\n\r\n${text}`);
};

/** The answer to a request that is not for a WebSocket, or for an unsupported version. */
export const upgradeRequired = (incoming: IncomingMessage, message: string, headers: Record<string, string> = {}): Outcome => ({
  ...refusalOutcome(refused("bad_request", { message }), requestIdOf(incoming), { Upgrade: "websocket", ...headers }),
  status: 426,
});

/** What handshakes depend on. */
export interface UpgradeOptions {
  readonly closeWithinMs: number;
  readonly isDraining: () => boolean;
  readonly onOpen: (ws: SessionSocket, socket: Socket, incoming: IncomingMessage) => void;
}

/** Whether a request is for the stream's path. */
export const isStreamPath = ({ url = "" }: IncomingMessage): boolean => url === STREAM_PATH || url.startsWith(`${STREAM_PATH}?`);

/** Creates the upgrade handler; a request for another path is left to be answered as a plain one. */
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
    const message = `The handshake is not valid: ${error.message}.`;
    // It was a plain socket when the server received it.
    answer(socket as Socket, refusalOutcome(refused("bad_request", { message }), requestIdOf(incoming)));
  });
  return (incoming: IncomingMessage, socket: Socket, head: Buffer): boolean => {
    if (!isStreamPath(incoming)) return false;
    if (isDraining()) {
      const message = STREAM_CLOSES.server_draining.message;
      answer(socket, refusalOutcome(refused("service_unavailable", { message }), requestIdOf(incoming)));
    } else if (incoming.method !== "GET") {
      answer(socket, refusalOutcome(refused("method_not_allowed"), requestIdOf(incoming), { Allow: "GET" }));
    } else if (incoming.headers["sec-websocket-version"] !== VERSION) {
      const message = `The handshake is not valid: only version ${VERSION} of the protocol is supported.`;
      answer(socket, upgradeRequired(incoming, message, { "Sec-WebSocket-Version": VERSION }));
    } else {
      server.handleUpgrade(incoming, socket, head, (ws: WebSocket) => {
        // The server creates sockets of the class it was given.
        onOpen(ws as SessionSocket, socket, incoming);
      });
    }
    return true;
  };
};
