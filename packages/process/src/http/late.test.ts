/** Connections that ran out of time, beside an event loop that stood: what arrived in time is answered. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectRaw, statusesIn, turnUntil } from "../testing/raw-connection.ts";
import { listenOn } from "./listen.ts";

const CHECK_MS = 10;
const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

const answer = (incoming: IncomingMessage, response: ServerResponse): void =>
  void incoming.resume().on("end", () => response.end("<answer>"));

/** A connection to a server, the server's end of it, and an event loop that can stand. */
const open = async () => {
  const { server, port, close } = await listenOn(
    (create, settings) => create({ ...settings, connectionsCheckingInterval: CHECK_MS }, answer),
    { host: "127.0.0.1", port: 0, maxPipelined: 32 },
  );
  onTestFinished(() => close(0));
  const accepted = once(server, "connection");
  const connection = await connectRaw(port, onTestFinished);
  const [end] = (await accepted) as [Socket]; // what the event is emitted with
  /** Lets nothing else run until what has begun has run out of time. */
  const stand = (): void => {
    server.headersTimeout = 1;
    server.requestTimeout = 1;
    const endMs = performance.now() + 5 * CHECK_MS;
    while (performance.now() < endMs);
  };
  const sendAndStand = (text: string): void => {
    connection.send(text);
    stand();
  };
  /** Sends what Node reads at once. */
  const sendFirst = async (text: string): Promise<void> => {
    connection.send(text);
    await turnUntil(() => end.bytesRead >= text.length);
  };
  return { ...connection, server, end, stand, sendAndStand, sendFirst };
};

const isAnswered = (received: string): boolean => received.includes("<answer>");

test("a request that arrived on a new connection is answered", async () => {
  const { sendAndStand, until } = await open();
  sendAndStand(GET);
  expect(statusesIn(await until(isAnswered))).toEqual([200]);
});

test.each([
  ["head", GET.slice(0, 9), GET.slice(9)],
  ["body", `${POST}ab`, "cd"],
])("a request whose %s was completed is answered, and so is the next", async (_part, first, rest) => {
  const { sendFirst, sendAndStand, send, until } = await open();
  await sendFirst(first);
  sendAndStand(rest);
  await until(isAnswered);
  send(GET);
  expect(statusesIn(await until((received) => statusesIn(received).length > 1))).toEqual([200, 200]);
});

test("a request on a kept connection whose idle time ended is answered", async () => {
  const { end, sendFirst, sendAndStand, until } = await open();
  await sendFirst(GET);
  await until(isAnswered);
  end.setTimeout(CHECK_MS);
  sendAndStand(GET);
  expect(statusesIn(await until((received) => statusesIn(received).length > 1))).toEqual([200, 200]);
});

test.each([
  ["head", GET.slice(0, 9), GET.slice(9, 12)],
  ["body", `${POST}a`, "b"],
])("a request whose %s continued but is not complete is closed without an answer", async (_part, first, more) => {
  const { sendFirst, sendAndStand, ended } = await open();
  await sendFirst(first);
  sendAndStand(more);
  expect(await ended()).toBe("");
});

test.each([
  ["head", GET.slice(0, 9)],
  ["body", `${POST}a`],
])("a request whose %s did not continue is refused", async (_part, first) => {
  const { sendFirst, stand, ended } = await open();
  await sendFirst(first);
  stand();
  expect(await ended()).toMatch(/^HTTP\/1\.1 408 .*"error":"bad_request"/s);
});

test("a connection opened ahead is written nothing, which its first request would take for its answer", async () => {
  const { server, stand, send, until } = await open();
  const judged = once(server, "clientError");
  stand();
  await judged;
  send(GET);
  expect(statusesIn(await until(isAnswered))).toEqual([200]);
});

test("a connection that stays silent is closed without an answer", async () => {
  const { end, ended } = await open();
  expect(end.timeout).toBe(75_000);
  end.setTimeout(10);
  expect(await ended()).toBe("");
});
