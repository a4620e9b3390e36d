import { inspect } from "node:util";
import { expect, test } from "vitest";
import { gap, heartbeat, NOON_MS, physical, tick } from "../testing/frames.ts";
import { readerOf } from "../testing/reader.ts";
import { type Manners, type Peer, streamService } from "../testing/stream-service.ts";
import { Assay, InvalidApiKeyError, PlanGatedError, PublishedDecimal, type SubscribeOptions } from "./index.ts";
import { StreamResource } from "./stream-resource.ts";
import { realStreamSurroundings } from "./surroundings.ts";

const KEY = "assay_live_4fGh2abcdefghijklmnopqrstuvwxyz0123456";
const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";
/** Backoff with its real growth, a hundred times shorter. */
const HASTY = { ...realStreamSurroundings, random: () => 0.01 };

const open = async (onPeer: NonNullable<Manners["onPeer"]>, options: Partial<SubscribeOptions> = {}, client: object = {}) => {
  const service = await streamService({ onPeer });
  const settings = { baseUrl: service.url, apiKey: KEY, logLevel: "off", ...client } as const;
  const stream = new StreamResource(settings, new Assay(settings).bars, HASTY);
  const subscription = stream.subscribe({ symbols: [GOLD], ...options } as SubscribeOptions); // either transport
  return { service, subscription, reader: readerOf(subscription) };
};

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

test("names are added and removed on the open connection, and requested again on the next", async () => {
  const { service, subscription, reader } = await open((peer, index) => {
    peer.welcome();
    peer.send(tick(41));
    if (index > 0) peer.send(tick(7, SILVER));
  });
  await reader.next("tick");
  subscription.add([SILVER, "physical:AE", GOLD]);
  subscription.remove([GOLD]);
  const [peer] = service.peers;
  await expect
    .poll(() => peer?.frames.slice(2))
    .toEqual([
      { action: "unsubscribe", symbols: [GOLD], channels: [] },
      { action: "subscribe", symbols: [SILVER], channels: ["physical:AE"], resume: {} },
    ]);
  expect(subscription.names).toEqual([SILVER, "physical:AE"]);
  peer?.send(tick(42), tick(5, SILVER));
  expect(await reader.next("tick")).toMatchObject({ symbol: SILVER, seq: 5 });
  peer?.socket.terminate();
  await reader.next("tick", { symbol: SILVER, seq: 7 });
  expect(service.peers[1]?.frames[1]).toEqual({
    action: "subscribe",
    symbols: [SILVER],
    channels: ["physical:AE"],
    resume: { [SILVER]: 5 },
  });
  expect(reader.witness.delivered.get(GOLD)).toEqual([41]);
});

test("a name that is removed and added again starts over", async () => {
  const { service, subscription, reader } = await open((peer) => {
    peer.welcome();
    peer.send(tick(41), tick(42));
  });
  await reader.next("tick", { seq: 41 });
  subscription.remove([GOLD]);
  subscription.add([GOLD]);
  const [peer] = service.peers;
  await expect.poll(() => peer?.frames.slice(2).map(({ action }) => action)).toEqual(["unsubscribe", "subscribe"]);
  reader.witness.forget(GOLD);
  peer?.send(tick(50, GOLD, NOON_MS, { snapshot: true }));
  expect(await reader.next("tick")).toMatchObject({ seq: 50, snapshot: true });
});

test("however often names change, the service's limit of frames is kept, and the last change counts", async () => {
  const { service, subscription, reader } = await open((peer) => peer.welcome());
  await reader.next("status", { status: "open" });
  for (let at = 0; at < 500; at += 1) {
    if (at % 2 === 0) subscription.add([SILVER]);
    else subscription.remove([SILVER]);
  }
  subscription.add(["HG-USD-SPOT"]);
  const [peer] = service.peers;
  await expect.poll(() => peer?.frames.at(-1), { timeout: 5_000 }).toMatchObject({ symbols: ["HG-USD-SPOT"] });
  expect(peer?.frames.length).toBeLessThanOrEqual(6);
});

test("names the service rejects are reported, and the others continue; with none left it ends", async () => {
  const rejecting = (followed: string[]) => (peer: Peer) => {
    peer.welcome();
    const rejected = [{ name: SILVER, code: "plan_gated" }];
    peer.send({ type: "subscribed", symbols: followed, channels: [], rejected });
    if (followed.length > 0) peer.send(tick(1));
  };
  const some = await open(rejecting([GOLD]), { symbols: [GOLD, SILVER] });
  await some.reader.next("tick");
  expect(some.reader.events.at(-2)).toMatchObject({
    status: "open",
    names: [GOLD],
    rejected: [{ name: SILVER, code: "plan_gated" }],
  });
  expect(some.subscription.names).toEqual([GOLD]);
  const none = await open(rejecting([]), { symbols: [SILVER] });
  expect(await none.reader.end()).toMatchObject({
    name: "StreamRejectedError",
    rejected: [{ name: SILVER, code: "plan_gated" }],
  });
});

test("a slow reader gets the newest of each name after a gap, and little is kept for it", async () => {
  let arrived = (): void => undefined;
  const received = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const { reader } = await open(
    (peer) => {
      peer.welcome();
      for (let seq = 1; seq <= 5_000; seq += 1) peer.send(tick(seq), tick(seq, SILVER));
      peer.send(heartbeat({ [GOLD]: 5_000, [SILVER]: 5_000 }));
      // Frames are processed in order: the pong shows that all before it were.
      peer.socket.once("pong", arrived);
      peer.socket.ping();
    },
    { symbols: [GOLD, SILVER], maxQueued: 100 },
  );
  await reader.next("status", { status: "connecting" });
  // Nothing is read while all of it arrives.
  await received;
  await reader.next("heartbeat");
  expect(reader.witness.gaps.every(({ reason }) => reason === "slow_consumer")).toBe(true);
  expect(reader.events.length).toBeLessThanOrEqual(110);
  for (const name of [GOLD, SILVER]) expect(reader.witness.accounted.get(name)).toBe(5_000);
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

test("gaps carry the closed minutes of the missed time on request", async () => {
  const asked: string[] = [];
  const { reader, service } = await open(
    (peer) => {
      peer.welcome({ server_time: new Date(NOON_MS + 300_000).toISOString() });
      peer.send(tick(1, GOLD, NOON_MS + 30_000), gap(2, 9, "expired"), tick(10, GOLD, NOON_MS + 300_000));
      peer.send(tick(12, GOLD, NOON_MS + 301_000));
    },
    { fillGaps: "bars" },
  );
  service.rest = ({ url = "" }, response) => {
    asked.push(url);
    if (asked.length > 1) {
      const body = { error: "plan_gated", message: "No.", request_id: "r", tier: "free", required_tier: "pro" };
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    const bars = [4, 3, 2, 1, 0].map((minute) => ({
      bar_start: new Date(NOON_MS + minute * 60_000).toISOString(),
      close: `400${minute}.10`,
      is_closed: minute < 4,
    }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ bars, next_cursor: null, meta: { count: 5 } }));
  };
  const filled = await reader.next("gap");
  expect(filled).toMatchObject({ fromSeq: 2, toSeq: 9, barsError: null });
  expect(filled.bars?.map(({ barStart, close }) => [barStart.getTime() - NOON_MS, close?.text])).toEqual([
    [0, "4000.10"],
    [60_000, "4001.10"],
    [120_000, "4002.10"],
    [180_000, "4003.10"],
  ]);
  const { searchParams } = new URL(asked[0] ?? "", service.url);
  expect(Object.fromEntries(searchParams)).toMatchObject({ symbol: GOLD, interval: "1m", from: new Date(NOON_MS).toISOString() });
  expect(Math.abs(Date.parse(searchParams.get("to") ?? "") - NOON_MS - 300_000)).toBeLessThan(5_000);
  const unfilled = await reader.next("gap");
  expect(unfilled).toMatchObject({ fromSeq: 11, toSeq: 11, bars: null, barsError: { name: "PlanGatedError" } });
  await reader.next("tick", { seq: 12 });
});

test.each([
  ["the last tick", { seq: 41, computedAt: new Date(NOON_MS + 90_000) }],
  ["what JSON kept of it", JSON.parse(JSON.stringify({ seq: 41, computedAt: new Date(NOON_MS + 90_000) }))],
])("a gap between two runs of a program is filled, with %s", async (_, last) => {
  const asked: string[] = [];
  const { reader, service } = await open(
    (peer) => {
      peer.welcome();
      peer.send(gap(42, 99, "expired"), tick(100, GOLD, NOON_MS + 900_000));
    },
    { fillGaps: "bars", resume: { [GOLD]: last } },
  );
  service.rest = ({ url = "" }, response) => {
    asked.push(url);
    const bars = [{ bar_start: new Date(NOON_MS + 60_000).toISOString(), close: "4001.10", is_closed: true }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ bars, next_cursor: null, meta: { count: 1 } }));
  };
  const filled = await reader.next("gap");
  expect(filled).toMatchObject({ fromSeq: 42, toSeq: 99, barsError: null });
  expect(filled.bars?.map(({ close }) => close?.text)).toEqual(["4001.10"]);
  const { searchParams } = new URL(asked[0] ?? "", service.url);
  expect(searchParams.get("from")).toBe(new Date(NOON_MS + 60_000).toISOString());
  expect(service.peers[0]?.frames[1]).toMatchObject({ resume: { [GOLD]: 41 } });
  await reader.next("tick", { seq: 100 });
});

test("with only a number the time of a gap is not known, and the error says what to give", async () => {
  const { reader } = await open(
    (peer) => {
      peer.welcome();
      peer.send(gap(42, 99, "expired"));
    },
    { fillGaps: "bars", resume: { [GOLD]: 41 } },
  );
  const { barsError } = await reader.next("gap");
  expect(barsError?.message).toContain("pass its computedAt together with its seq in resume");
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
