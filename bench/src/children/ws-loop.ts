/** Reference: a WebSocket server that sends every tick to every client with `ws.send`, one client after another. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { broadcasting } from "./broadcast.ts";
import { serve } from "./child.ts";

let seq = 100_000;

/** A tick as Assay writes it, of about 120 bytes. */
const nextTick = (): string => {
  seq += 1;
  const computedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  return `{"type":"tick","symbol":"XAU-USD-SPOT","price":"4003.20","conf":"0.20","computed_at":"${computedAt}","seq":${seq}}`;
};

serve(async () => {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  const answer = broadcasting(async () => {
    const text = nextTick();
    for (const client of server.clients) client.send(text);
  });
  return { ready: { port: (server.address() as AddressInfo).port }, answer }; // it listens on a port, not a pipe
});
