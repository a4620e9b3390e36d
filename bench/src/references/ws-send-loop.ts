/** Reference: a WebSocket server that sends every tick to every client with `ws.send`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { broadcasting, nextTickText } from "../streams/broadcaster.ts";

/** Starts it. */
export const start = async () => {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  await once(http.listen(0, "127.0.0.1"), "listening");
  const run = broadcasting((perFlush) => {
    for (let index = 0; index < perFlush; index += 1) {
      const text = nextTickText();
      for (const client of server.clients) client.send(text);
    }
  });
  return { ready: { port: (http.address() as AddressInfo).port, key: "" }, run }; // it listens on a port, not a pipe
};
