import { inspect } from "node:util";
import { expect, test } from "vitest";
import { gap, heartbeat, NOON_MS, physical, tick } from "../testing/frames.ts";
import { readerOf } from "../testing/reader.ts";
import { GOLD, HASTY, type Handlers, KEY, openStream, type Peer } from "../testing/stream-service.ts";
import { StreamResource } from "./assay.ts";
import {
  Assay,
  type ClientOptions,
  InvalidApiKeyError,
  PlanGatedError,
  PublishedDecimal,
  type WebSocketOptions,
} from "./index.ts";

const open = (onPeer: NonNullable<Handlers["onPeer"]>, options: Partial<WebSocketOptions> = {}, client: ClientOptions = {}) =>
  openStream({ onPeer }, { symbols: [GOLD], ...options }, client);

test("a tick comes as it was published, with exact figures and instants", async () => {
  const { reader, service } = await open((peer) => {
    peer.welcome();
    peer.send(tick(41, GOLD, NOON_MS, { snapshot: true }), tick(42), heartbeat({ [GOLD]: 42 }), { type: "of tomorrow" });
  });
  const first = await reader.next("tick");
  expect(first).toMatchObject({ symbol: GOLD, seq: 41, snapshot: true, computedAt: new Date(NOON_MS) });
  expect(first.price).toBeInstanceOf(PublishedDecimal);
  expect([first.price.text, first.conf.text]).toEqual(["4003.0041", "0.20"]);
  expect(await reader.next("tick")).not.toHaveProperty("snapshot");
  expect(await reader.next("heartbeat")).toMatchObject({ market: "open", seq: { [GOLD]: 42 }, ts: new Date(NOON_MS) });
  expect(reader.events.slice(0, 2)).toEqual([
    { type: "status", status: "connecting", names: [GOLD], attempt: 0 },
    { type: "status", status: "open", names: [GOLD], rejected: [] },
  ]);
  expect(service.peers[0]?.headers["user-agent"]).toMatch(/^assay-sdk\//);
});

test("a symbol that an operator added is sent as a symbol, and its gaps are filled as any other's", async () => {
  const { reader, service } = await open(
    (peer) => {
      peer.welcome();
      peer.send({ type: "gap", symbol: "XRH-USD-SPOT", from_seq: 1, to_seq: 4, reason: "expired" });
    },
    { symbols: ["XRH-USD-SPOT"], fillGaps: "bars" },
  );
  const { symbol, barsError } = await reader.next("gap");
  expect([symbol, barsError?.message]).toEqual(["XRH-USD-SPOT", expect.stringContaining("time of the last tick")]);
  expect(service.peers[0]?.frames[1]).toEqual({ action: "subscribe", symbols: ["XRH-USD-SPOT"], channels: [], resume: {} });
});

test("a dealer's quote comes over its channel", async () => {
  const { reader, service } = await open(
    (peer) => {
      peer.welcome();
      peer.send(physical(7));
    },
    { symbols: [], channels: ["physical:AE"] },
  );
  const { quote, channel } = await reader.next("physical");
  expect([channel, quote.sellPrice?.text, quote.buybackPrice, quote.weightUnit]).toEqual(["physical:AE", "477.25", null, "gram"]);
  expect(service.peers[0]?.frames[1]).toEqual({ action: "subscribe", symbols: [], channels: ["physical:AE"], resume: {} });
});

test.each([
  ["bad_frame", 4400, "StreamBadFrameError"],
  ["too_many_frames", 4400, "StreamTooManyFramesError"],
  ["auth_timeout", 4408, "StreamAuthTimeoutError"],
  ["too_many_connections", 4429, "StreamTooManyConnectionsError"],
  ["of_tomorrow", 4477, "StreamClosedError"],
])("%s (%i) ends it with a %s, without a reconnect", async (code, close, name) => {
  const { reader, service } = await open((peer) => peer.refuse(code, close));
  expect(await reader.end()).toMatchObject({ name, code, close, message: `${close} ${code}: It is ${code}.` });
  expect(reader.events.at(-1)).toMatchObject({ status: "closed", reason: `${close} ${code}: It is ${code}.` });
  expect(await reader.end()).toBeUndefined();
  expect(service.peers).toHaveLength(1);
});

test.each([
  ["unauthenticated", 4401, InvalidApiKeyError, { status: 401, code: "invalid_api_key" }],
  ["plan_gated", 4403, PlanGatedError, { status: 403, code: "plan_gated", tier: null, requiredTier: "realtime_pro" }],
])("%s (%i) ends it with what REST fails with for the same cause", async (code, close, Expected, fields) => {
  const { reader, service } = await open((peer) => peer.refuse(code, close));
  const error = await reader.end();
  const message = `${close} ${code}: It is ${code}.`;
  expect(error).toBeInstanceOf(Expected);
  expect(error).toMatchObject({ ...fields, message, cause: { name: "StreamClosedError", code, close } });
  expect(service.peers).toHaveLength(1);
});

test("a close code alone names its error", async () => {
  const { reader } = await open((peer) => peer.socket.close(4401));
  expect(await reader.end()).toMatchObject({ name: "InvalidApiKeyError", cause: { code: "unauthenticated", close: 4401 } });
});

test("what came before the end is read before the end", async () => {
  const { reader } = await open((peer) => {
    peer.welcome();
    peer.send(tick(1), tick(2));
    peer.refuse("unauthenticated", 4401);
  });
  await reader.end();
  expect(reader.witness.delivered.get(GOLD)).toEqual([1, 2]);
});

test.each([
  ["1001", (peer: Peer) => peer.socket.close(1001)],
  ["1006, a cut line", (peer: Peer) => peer.socket.terminate()],
  ["1011", (peer: Peer) => peer.socket.close(1011)],
  ["1012", (peer: Peer) => peer.socket.close(1012)],
  ["1013", (peer: Peer) => peer.socket.close(1013)],
  ["4503", (peer: Peer) => peer.refuse("auth_unavailable", 4503)],
  ["4508", (peer: Peer) => peer.refuse("slow_consumer", 4508)],
  ["4510", (peer: Peer) => peer.refuse("server_draining", 4510)],
  ["a frame that is no JSON", (peer: Peer) => peer.socket.send("<html>")],
  ["a binary frame", (peer: Peer) => peer.socket.send(Buffer.from("{}"))],
  ["a tick without a number", (peer: Peer) => peer.send({ ...tick(4), seq: null })],
])("%s leads to another connection, which resumes after the last number", async (_, lose) => {
  const { reader, service } = await open((peer, index) => {
    peer.welcome();
    if (index === 0) {
      peer.send(tick(41), tick(42));
      lose(peer);
    } else peer.send(tick(42), tick(43));
  });
  await reader.next("tick", { seq: 42 });
  expect(await reader.next("status", { status: "reconnecting" })).toMatchObject({ attempt: 1, delayMs: 5 });
  await reader.next("tick", { seq: 43 });
  expect(reader.witness.delivered.get(GOLD)).toEqual([41, 42, 43]);
  expect(service.peers[1]?.frames).toEqual([
    { action: "auth", api_key: KEY },
    { action: "subscribe", symbols: [GOLD], channels: [], resume: { [GOLD]: 42 } },
  ]);
});

test("what was missed is reported, by the service or without it", async () => {
  const { reader } = await open((peer, index) => {
    peer.welcome();
    if (index === 0) {
      peer.send(tick(41));
      peer.socket.terminate();
    } else peer.send(gap(42, 50, "expired"), tick(51, GOLD, NOON_MS, { snapshot: true }), tick(53));
  });
  await reader.next("tick", { seq: 53 });
  expect(reader.witness.gaps.map(({ fromSeq, toSeq, reason }) => [fromSeq, toSeq, reason])).toEqual([
    [42, 50, "expired"],
    [52, 52, "missed"],
  ]);
});

test("a connection that is silent for 2.5 heartbeats is dead, one that is quiet is not", async () => {
  let isSilent = false;
  const { reader, service } = await open((peer, index) => {
    peer.welcome({ heartbeat_interval_seconds: 0.2 });
    peer.send(tick(41 + index));
    if (index > 0) return;
    const timer = setInterval(() => {
      if (!isSilent) peer.send(heartbeat({ [GOLD]: 41 }));
    }, 200);
    peer.socket.on("close", () => clearInterval(timer));
  });
  for (let at = 0; at < 5; at += 1) await reader.next("heartbeat");
  expect(service.peers).toHaveLength(1);
  isSilent = true;
  const { reason } = (await reader.next("status", { status: "reconnecting" })) as { reason?: string };
  expect(reason).toBe("silent for 2.5 heartbeats");
  await reader.next("tick", { seq: 42 });
  await service.peers[0]?.closed;
});

test("a service that accepts the connection and says nothing is given up in time", async () => {
  const { reader } = await open(
    (peer, index) => {
      if (index > 0) peer.welcome();
    },
    {},
    { timeoutMs: 300 },
  );
  expect(await reader.next("status", { status: "reconnecting" })).toMatchObject({ reason: "no connection in time" });
  await reader.next("status", { status: "open" });
});

test("an unreachable service is retried, as often in a row as maxReconnects says", async () => {
  const { service, subscription } = await open(() => undefined);
  await subscription.return();
  const settings = { baseUrl: "http://127.0.0.1:1", apiKey: KEY, logLevel: "off" } as const;
  const stream = new StreamResource(settings, new Assay(settings).bars, HASTY);
  const reader = readerOf(stream.subscribe({ symbols: [GOLD], maxReconnects: 2 }));
  const error = await reader.end();
  expect(error).toMatchObject({ name: "StreamLostError" });
  expect(String(error)).toMatch(/^StreamLostError: Lost the connection 3 times in a row; last reason: 1006: .*ECONNREFUSED/);
  expect(reader.events.flatMap((event) => (event.type === "status" ? [event.status] : []))).toEqual([
    "connecting",
    "reconnecting",
    "connecting",
    "reconnecting",
    "connecting",
    "closed",
  ]);
  expect(service.peers).toHaveLength(0);
});

test("leaving the loop closes the socket cleanly", async () => {
  const { service, subscription } = await open((peer) => {
    peer.welcome();
    peer.send(tick(41), tick(42));
  });
  for await (const event of subscription) if (event.type === "tick") break;
  expect(await service.peers[0]?.closed).toBe(1000);
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
  expect(service.peers).toHaveLength(1);
});

test("close ends the loop, also while it waits", async () => {
  const { service, subscription, reader } = await open((peer) => peer.welcome());
  await reader.next("status", { status: "open" });
  const ending = reader.end();
  subscription.close();
  expect(await ending).toBeUndefined();
  expect(reader.events.at(-1)).toEqual({ type: "status", status: "closed", names: [GOLD], reason: null });
  expect(await service.peers[0]?.closed).toBe(1000);
});

test("a signal ends the loop with its reason, before, while connecting and while it waits", async () => {
  for (const moment of ["before", "connecting", "open"] as const) {
    const stop = new AbortController();
    const { service, reader } = await open((peer) => peer.welcome(), { signal: stop.signal });
    if (moment === "before") stop.abort("enough");
    else await reader.next("status", { status: moment });
    const ending = reader.end();
    stop.abort("enough");
    expect(await ending).toMatchObject({ name: "RequestAbortedError", cause: "enough" });
    await expect.poll(() => service.sockets.size).toBe(0);
  }
});

test("nothing connects before the loop begins", async () => {
  const { service, reader } = await open((peer) => peer.welcome());
  expect(service.sockets.size).toBe(0);
  await reader.next("status", { status: "open" });
  expect(service.peers).toHaveLength(1);
});

test("the key is in the first frame and nowhere else: not in the URL, the handshake, the log, an error or the object", async () => {
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  const { reader, service, subscription } = await open(
    (peer, index) => {
      if (index === 0) peer.socket.send(`{"type":"error","code":"validation_error","message":"${KEY}","fatal":false}`);
      if (index < 4) peer.socket.send(`{"type":"error","code":"server_draining","message":"${KEY}","fatal":true}`);
      if (index < 4) peer.socket.close(4510);
      else peer.socket.send(`{"type":"error","code":"unauthenticated","message":"${KEY}","fatal":true}`);
      if (index === 4) peer.socket.close(4401, KEY);
    },
    {},
    { logger, logLevel: "debug" },
  );
  const error = await reader.end();
  const [peer] = service.peers;
  const shown = [peer?.url, peer?.headers, error, reader.events, subscription, lines].map((value) =>
    inspect(value, { depth: 9, showHidden: true }),
  );
  expect(shown.join()).not.toContain(KEY);
  expect(String(error)).toContain("[key]");
  expect(lines.length).toBeGreaterThan(3);
  expect(peer?.frames[0]).toEqual({ action: "auth", api_key: KEY });
});

test("the stack of an aborted stream names the function that reads it", async () => {
  const controller = new AbortController();
  const { subscription } = await open((peer) => peer.welcome(), { signal: controller.signal });
  const elsewhere = (): unknown => setImmediate(() => controller.abort("enough"));
  const readToTheEnd = async (): Promise<void> => {
    for await (const event of subscription) if (event.type === "status" && event.status === "open") elsewhere();
  };
  const error = await readToTheEnd().catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    name: "RequestAbortedError",
    cause: "enough",
    stack: expect.stringContaining("readToTheEnd"),
  });
});

test("a block that holds a subscription by `await using` ends it", async () => {
  const { subscription, service } = await open((peer) => {
    peer.welcome();
    peer.send(tick(1));
  });
  await subscription.next();
  await expect.poll(() => service.peers.length).toBe(1);
  await subscription[Symbol.asyncDispose]();
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
  await service.peers[0]?.closed;
});

test("reading continues after the numbers of an earlier process", async () => {
  const { reader, service } = await open(
    (peer) => {
      peer.welcome();
      peer.send(tick(41), tick(42), tick(44));
    },
    { resume: { [GOLD]: 41 } },
  );
  await reader.next("tick", { seq: 44 });
  expect(service.peers[0]?.frames[1]).toMatchObject({ resume: { [GOLD]: 41 } });
  expect(reader.witness.delivered.get(GOLD)).toEqual([42, 44]);
});
