/** The WebSocket handshake: done by `ws`; its refusals are sent as plain HTTP in the API's usual shape. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { refused, STREAM_CLOSES, STREAM_LIMITS, STREAM_PATH, unrecognizedNames, type ValidationIssue } from "@assay/contract";
import { requestIdOf } from "@assay/process";
import { type Outcome, refusalOutcome } from "@assay/services";
import { WebSocket, WebSocketServer } from "ws";
import { isFor, refuseMethod, sendOutcome } from "../plain-http.ts";

/** Close codes `ws` uses on its own when it receives an invalid frame: protocol, encoding, policy, size. */
const FAULTS: ReadonlySet<number> = new Set([1002, 1007, 1008, 1009]);

/** A WebSocket whose frame errors are reported before it is closed. */
export class SessionSocket extends WebSocket {
  /** Called once instead of the close by `ws`. */
  onFault: (() => void) | null = null;

  override close(code?: number, data?: string | Buffer): void {
    const { onFault } = this;
    if (code !== undefined && FAULTS.has(code) && onFault) {
      this.onFault = null;
      onFault();
      return;
    }
    super.close(code, data);
  }
}

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
const upgradeRequired = (incoming: IncomingMessage, message: string, headers: Record<string, string> = {}): Outcome => ({
  ...refusalOutcome(refused("bad_request", { message }), requestIdOf(incoming), { Upgrade: "websocket", ...headers }),
  status: 426,
});

const unknownInQuery = unrecognizedNames({
  path: STREAM_PATH,
  place: "query",
  names: [],
  way: () => "there are none; the key, channels and symbols are sent in frames",
});

/** What a handshake's address asks for that nothing reads: a filter, say, whose client would take the stream for filtered. */
const unknownOf = ({ url = "" }: IncomingMessage): readonly ValidationIssue[] =>
  url.includes("?") ? unknownInQuery(new Set(new URLSearchParams(url.slice(url.indexOf("?") + 1)).keys())) : [];

/** Whether a request is for the stream's path. */
export const isStreamPath = (incoming: IncomingMessage): boolean => isFor(incoming, STREAM_PATH);

/** Refuses a plain request to the stream's path. */
export const refusePlain = (incoming: IncomingMessage, response: ServerResponse): void => {
  if (incoming.method !== "GET") {
    refuseMethod(incoming, response, "GET");
    return;
  }
  const refusal = upgradeRequired(incoming, "This path accepts only WebSocket handshakes: GET over HTTP/1.1, without a body.");
  sendOutcome(incoming, response, { ...refusal, headers: { ...refusal.headers, Connection: "Upgrade, close" } });
};

/** Creates the upgrade handler; a request for another path is left to be answered as a plain one. */
export const upgrader = (
  closeWithinMs: number,
  isDraining: () => boolean,
  onOpen: (ws: SessionSocket, socket: Socket, incoming: IncomingMessage) => void,
) => {
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
    } else if (unknownOf(incoming).length > 0) {
      const refusal = refused("validation_error", { issues: unknownOf(incoming) });
      answer(socket, refusalOutcome(refusal, requestIdOf(incoming)));
    } else {
      server.handleUpgrade(incoming, socket, head, (ws: WebSocket) => {
        // The server creates sockets of the class it was given.
        onOpen(ws as SessionSocket, socket, incoming);
      });
    }
    return true;
  };
};
