/** Reference: a server that writes every tick to every client with `response.write`. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { broadcasting, nextTickText } from "../streams/broadcaster.ts";

/** Starts it. */
export const start = async () => {
  const clients = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
    clients.add(response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const run = broadcasting((perFlush) => {
    for (let index = 0; index < perFlush; index += 1) {
      const chunk = `data: ${nextTickText()}\n\n`;
      for (const client of clients) client.write(chunk);
    }
  });
  return { ready: { port: (server.address() as AddressInfo).port, key: "" }, run }; // it listens on a port, not a pipe
};
