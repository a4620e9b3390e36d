/** Upgrade requests: those for a WebSocket, and those served as if they had not asked. */
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

const UPGRADE_HEADERS: ReadonlySet<string> = new Set(["upgrade", "http2-settings"]);

/** Whether a request asks for a WebSocket. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket";

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
export const withoutUpgrade = (server: Server, incoming: IncomingMessage, socket: Socket, head: Buffer): void => {
  socket.unshift(Buffer.concat([headWithout(incoming), head]));
  server.emit("connection", socket);
};
