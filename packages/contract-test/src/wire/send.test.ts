/** Requests on connections that the service closes. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { KEYLESS } from "./caller.ts";
import type { Sent } from "./exchange.ts";
import { send } from "./send.ts";

/** A server that closes the connections of some requests without an answer. */
const startClosing = async (closes: (request: number) => boolean): Promise<{ url: string; requests: () => number }> => {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    if (closes(requests)) incoming.socket.destroy();
    else outgoing.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests };
};

const sentBy = (method: string, url: string): Sent => ({
  method,
  url,
  headers: {},
  body: undefined,
  caller: KEYLESS,
});

test("a GET whose connection is closed is sent once more", async () => {
  const { url, requests } = await startClosing((request) => request === 2);
  expect((await send(sentBy("GET", url))).status).toBe(200);
  expect((await send(sentBy("GET", url))).status).toBe(200);
  expect(requests()).toBe(3);
});

test("a service that closes every connection is not asked for ever, and a POST is never sent twice", async () => {
  const { url, requests } = await startClosing(() => true);
  await expect(send(sentBy("GET", url))).rejects.toThrow();
  expect(requests()).toBe(2);
  await expect(send(sentBy("POST", url))).rejects.toThrow();
  expect(requests()).toBe(3);
});
