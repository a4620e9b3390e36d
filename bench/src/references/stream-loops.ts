/** References: servers that send every tick to every client, one client after another. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { WebSocketServer } from "ws";
import { broadcasting, nextTickText } from "../streams/broadcaster.ts";

/** A WebSocket server that sends every tick to every client with `ws.send`. */
export const wsSendLoop = async () => {
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

/** A server that writes every tick to every client with `response.write`. */
export const sseWriteLoop = async () => {
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

/** A server that sends every tick to every client with Hono's `streamSSE`. */
export const honoStreamSse = async () => {
  const clients = new Set<SSEStreamingApi>();
  const app = new Hono();
  app.get("/", (context) =>
    streamSSE(context, async (stream) => {
      clients.add(stream);
      await stream.write(": open\n\n");
      await new Promise<void>((resolve) => stream.onAbort(resolve));
    }),
  );
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await once(server, "listening");
  const run = broadcasting(async (perFlush) => {
    for (let index = 0; index < perFlush; index += 1) {
      const data = nextTickText();
      await Promise.all([...clients].map((client) => client.writeSSE({ data })));
    }
  });
  return { ready: { port: (server.address() as AddressInfo).port, key: "" }, run }; // it listens on a port, not a pipe
};
