/** Reference: a server that sends every tick to every client with Hono's `streamSSE`. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { broadcasting, nextTickText } from "../streams/broadcaster.ts";

/** Starts it. */
export const start = async () => {
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
