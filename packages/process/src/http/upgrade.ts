/** Upgrade requests: those for a WebSocket are handed on, the others are served as if they had not asked. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { namesOneHost } from "./client.ts";
import { endTakenOver, isEnding, owesAnswer } from "./pipeline.ts";

const UPGRADE_HEADERS: ReadonlySet<string> = new Set(["upgrade", "http2-settings"]);

/** Takes over a WebSocket request, or leaves it to be answered as a plain one. */
export type TakeUpgrade = (incoming: IncomingMessage, socket: Socket, head: Buffer) => boolean;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/**
 * Whether a request may open a WebSocket. One that HTTP would refuse, one of HTTP/1.0, which has no upgrades, and one with a body, which
 * no handshake has, are answered as plain requests.
 */
const mayUpgrade = (incoming: IncomingMessage): boolean =>
  incoming.headers.upgrade?.toLowerCase() === "websocket" &&
  incoming.httpVersion !== "1.0" &&
  namesOneHost(incoming) &&
  !hasBody(incoming);

/** The request's head as received, without the headers that ask for the upgrade. */
const headWithout = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (UPGRADE_HEADERS.has(name.toLowerCase())) continue;
    if (name.toLowerCase() !== "connection") lines.push(`${name}: ${value}`);
    else if (/\bclose\b/i.test(value)) lines.push("Connection: close");
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
};

/**
 * Serves a request as if it had not asked for an upgrade, as HTTP allows. Java's HttpClient, for one, offers h2c with its first
 * request; once a server listens for upgrades, Node passes it every such request.
 * @param head the bytes received after the request's head
 */
const withoutUpgrade = (server: Server, incoming: IncomingMessage, socket: Socket, head: Buffer): void => {
  socket.unshift(Buffer.concat([headWithout(incoming), head]));
  server.emit("connection", socket);
};

/**
 * Passes WebSocket requests to their handler, and the rest back to the server. Behind a request that is still unanswered they are
 * dropped, as their answer would overtake the earlier one, and so is one request too many.
 */
export const takeUpgrades = (server: Server, take: TakeUpgrade = () => false): void => {
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (owesAnswer(socket) || isEnding(socket)) endTakenOver(socket);
    else if (!mayUpgrade(incoming) || !take(incoming, socket, head)) withoutUpgrade(server, incoming, socket, head);
  });
};
