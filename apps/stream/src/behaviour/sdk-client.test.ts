/** The SDK's streams against the real ones: it yields what was published, whatever happens to the connection. */
import { revokeKey, type Store } from "@assay/db";
import { openTestStore } from "@assay/db/testing";
import { type Live, openMemoryLive } from "@assay/live";
import { asProduct, type DealerTick } from "@assay/pricing";
import { Assay, type StreamEvent, type SubscribeOptions, type Subscription } from "@assay/sdk/stream";
import { FRIDAY_MS, fakeClock, makeTick, publishMoment, type TestKey } from "@assay/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Line, openLine } from "../testing/line.ts";
import { goldAt, startTestStreams, type TestStreams, type TestStreamsOptions } from "../testing/start-test-streams.ts";

const GOLD = "XAU-USD-SPOT";
const SILVER = "XAG-USD-SPOT";
const COPPER = "HG-USD-SPOT";
const dealerAt = (atMs: number, seq: number): DealerTick => ({
  ...asProduct({
    source: "replay-dealer",
    dealer: "Souk",
    country: "AE",
    product: "24K gram",
    karat: 24,
    weight: "1",
    weightUnit: "gram",
    currency: "AED",
    sell: "477.25",
    buyback: null,
    observedAtMs: atMs,
  }),
  seq,
  fetchedAtMs: atMs,
});

/** One service for all tests: numbering continues from one to the next. */
const clock = fakeClock(FRIDAY_MS);
let store: Store;
let live: Live;
let app: TestStreams;
let line: Line;
let key: TestKey;
let seq = 0;
/** Gold's number when a test starts. */
let first = 0;
beforeAll(async () => {
  store = await openTestStore();
  live = openMemoryLive({ clock });
});
afterEach(() => app.close());
afterAll(async () => {
  await live.close();
  await store.close();
});

const publish = async (count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) {
    clock.advance(1_000);
    seq += 1;
    await publishMoment(store, live, { ticks: [goldAt(clock, seq)] }, clock());
  }
};
/** As many ticks in one moment. */
const publishAtOnce = async (count: number): Promise<void> => {
  const ticks = Array.from({ length: count }, () => {
    clock.advance(1_000);
    seq += 1;
    return goldAt(clock, seq);
  });
  await publishMoment(store, live, { ticks }, clock());
};
const serve = (options: TestStreamsOptions = {}) => startTestStreams({ store, live, clock, ...options });
const start = async (options: TestStreamsOptions = {}): Promise<void> => {
  await publish(1);
  first = seq;
  app = await serve(options);
  line = await openLine(app.port);
  key = await app.key("realtime_pro");
};

/** Reads a subscription in the background and records it. */
const follow = (options: SubscribeOptions, apiKey = key.key) => {
  const assay = new Assay({ apiKey, baseUrl: line.url, logLevel: "off" });
  const subscription = assay.stream.subscribe(options);
  const events: StreamEvent[] = [];
  const read = async (from: Subscription): Promise<void> => {
    for await (const event of from) events.push(event);
  };
  const ended = read(subscription).then(
    () => undefined,
    (error: unknown) => error,
  );
  onTestFinished(async () => {
    subscription.close();
    await ended;
  });
  const ticks = (name: string = GOLD) => events.flatMap((one) => (one.type === "tick" && one.symbol === name ? [one.seq] : []));
  const statuses = () => events.flatMap((one) => (one.type === "status" ? [one.status] : []));
  const gaps = () => events.flatMap((one) => (one.type === "gap" ? [[one.reason, one.fromSeq, one.toSeq]] : []));
  return { subscription, events, ended, ticks, gaps, statuses };
};
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
/** Every number of gold since the test started. */
const all = (): number[] => numbers(first, seq);
const SOON = { timeout: 15_000 };

describe.each(["websocket", "sse"] as const)("over %s", (transport) => {
  const options: SubscribeOptions = { transport, symbols: [GOLD] };

  test("a dropped connection loses nothing and repeats nothing", async () => {
    await start();
    const reader = follow(options);
    await expect.poll(reader.ticks, SOON).toEqual([first]);
    for (let at = 0; at < 4; at += 1) {
      await publish(2);
      line.cut();
      await publish(3);
    }
    await expect.poll(reader.ticks, SOON).toEqual(all());
    expect(reader.gaps()).toEqual([]);
    expect(line.connections()).toBeGreaterThan(1);
  });

  test("a process that ends and another that takes its place lose nothing and repeat nothing", async () => {
    await start();
    const reader = follow(options);
    await expect.poll(reader.ticks, SOON).toEqual([first]);
    await publish(3);
    await expect.poll(reader.ticks, SOON).toEqual(all());
    line.lead(null);
    await app.close();
    await publish(3);
    app = await serve();
    line.lead(app.port);
    await publish(2);
    await expect.poll(reader.ticks, SOON).toEqual(all());
    expect(reader.gaps()).toEqual([]);
    expect(reader.statuses()).toContain("reconnecting");
  });

  test("what was missed for longer than is kept is a gap, and all later ticks follow", async () => {
    await start();
    const reader = follow(options);
    await expect.poll(reader.ticks, SOON).toEqual([first]);
    line.lead(null);
    line.cut();
    await publish(2);
    clock.advance(400_000);
    await publishAtOnce(400);
    line.lead(app.port);
    await expect.poll(() => reader.ticks().at(-1), SOON).toBe(seq);
    expect(reader.gaps()).toEqual([["expired", first + 1, seq - 301]]);
    expect(reader.ticks()).toEqual([first, ...numbers(seq - 300, seq)]);
  });

  test("a revoked key ends the stream with its error", async () => {
    await start();
    const reader = follow(options);
    await expect.poll(reader.ticks, SOON).toEqual([first]);
    await revokeKey(app.store, { id: key.keyId, atMs: clock() });
    await live.bus.publish({ kind: "key-changed", keyHash: key.keyHash, revokedAtMs: clock() });
    expect(await reader.ended).toMatchObject({ name: "InvalidApiKeyError", cause: { code: "unauthenticated", close: 4401 } });
    expect(line.connections()).toBe(1);
  });

  test("a missing key, one of too low a tier, or too many streams end it with the matching error", async () => {
    await start();
    const low = await app.key("physical");
    const requiredTier = transport === "websocket" ? "realtime_pro" : "pro";
    expect(await follow(options, low.key).ended).toMatchObject({ name: "PlanGatedError", requiredTier });
    expect(await follow(options, "assay_live_nobody").ended).toMatchObject({ name: "InvalidApiKeyError", status: 401 });
    const readers = Array.from({ length: 10 }, () => follow(options));
    for (const reader of readers) await expect.poll(reader.ticks, SOON).toEqual([first]);
    expect(await follow(options).ended).toMatchObject({ name: "StreamTooManyConnectionsError", close: 4429 });
    // One that disconnects makes room for another.
    readers[0]?.subscription.close();
    await readers[0]?.ended;
    await expect.poll(() => live.places.count(key), SOON).toBe(9);
    await expect.poll(follow(options).ticks, SOON).toEqual([first]);
  });
});

test("a half-open connection is detected after 2.5 heartbeats, and nothing is lost", async () => {
  await start({ timing: { heartbeatMs: 1_000 } });
  const reader = follow({ symbols: [GOLD] });
  await expect.poll(() => reader.events.some(({ type }) => type === "heartbeat"), SOON).toBe(true);
  line.freeze();
  await publish(5);
  await expect.poll(reader.ticks, SOON).toEqual(all());
  expect(reader.events).toContainEqual(
    expect.objectContaining({ status: "reconnecting", reason: "silent for 2.5 heartbeats", attempt: 1 }),
  );
  expect(reader.gaps()).toEqual([]);
});

test("a process that drains is left for the next", async () => {
  await start();
  const reader = follow({ symbols: [GOLD] });
  await expect.poll(reader.ticks, SOON).toEqual([first]);
  const closing = app.service.close(2_000);
  await expect.poll(reader.statuses, SOON).toContain("reconnecting");
  expect(reader.events.find((event) => event.type === "status" && event.status === "reconnecting")).toMatchObject({
    close: 4510,
    reason: "4510 server_draining: The server is shutting down; reconnect.",
  });
  await closing;
});

test("many names over one connection are numbered separately, quotes among them", async () => {
  await start();
  const silver = (at: number) => makeTick(at, { instrument: SILVER, computedAtMs: clock() });
  const copper = (at: number) => makeTick(at, { instrument: COPPER, computedAtMs: clock() });
  const quote = (at: number) =>
    live.bus.publish({ kind: "dealer-quotes", token: 1, atMs: clock(), quotes: [dealerAt(clock(), at)] });
  await publishMoment(store, live, { ticks: [silver(1), copper(1)] }, clock());
  const reader = follow({ symbols: [GOLD, SILVER], channels: ["physical:AE"] });
  await expect.poll(() => reader.ticks(SILVER), SOON).toEqual([1]);
  reader.subscription.add([COPPER]);
  await expect.poll(() => reader.ticks(COPPER), SOON).toEqual([1]);
  reader.subscription.remove([SILVER]);
  await expect
    .poll(() => reader.events.findLast(({ type }) => type === "status"), SOON)
    .toMatchObject({ names: [GOLD, COPPER, "physical:AE"] });
  const quotes = () => reader.events.flatMap((event) => (event.type === "physical" ? [event.seq] : []));
  await quote(1);
  await expect.poll(quotes, SOON).toEqual([1]);
  for (let at = 2; at <= 20; at += 1) {
    await publish(1);
    await publishMoment(store, live, { ticks: [silver(at), copper(at)] }, clock());
    await quote(at);
    if (at === 10) line.cut();
  }
  await expect.poll(() => reader.ticks(COPPER), SOON).toEqual(numbers(1, 20));
  await expect.poll(reader.ticks, SOON).toEqual(all());
  await expect.poll(quotes, SOON).toEqual(numbers(1, 20));
  expect(reader.ticks(SILVER)).toEqual([1]);
  expect(reader.gaps()).toEqual([]);
  expect(line.connections()).toBe(2);
});

test("SSE and WebSocket yield the same ticks", async () => {
  await start();
  const both = (["websocket", "sse"] as const).map((transport) => follow({ transport, symbols: [GOLD] }));
  for (const reader of both) await expect.poll(reader.ticks, SOON).toEqual([first]);
  await publish(20);
  for (const reader of both) await expect.poll(reader.ticks, SOON).toEqual(all());
  const [overWs, overSse] = both.map(({ events }) => JSON.stringify(events.filter(({ type }) => type === "tick")));
  expect(overWs).toBe(overSse);
});

test("a slow loop gets the newest price after a gap, and sees every number or its absence", async () => {
  await start();
  const assay = new Assay({ apiKey: key.key, baseUrl: line.url, logLevel: "off" });
  const other = follow({ symbols: [GOLD] });
  await expect.poll(other.ticks, SOON).toEqual([first]);
  const subscription = assay.stream.subscribe({ symbols: [GOLD], maxQueued: 50 });
  let accounted = first - 1;
  let yielded = 0;
  let hasGap = false;
  for await (const event of subscription) {
    if (event.type === "status") continue;
    if (event.type === "tick") {
      expect(event.seq).toBe(accounted + 1);
      accounted = event.seq;
      // The loop's body is busy while 600 ticks arrive, as they do at another client.
      if (event.seq === first) {
        await publish(600);
        await expect.poll(() => other.ticks().at(-1), SOON).toBe(first + 600);
      }
    }
    if (event.type === "gap") {
      expect([event.fromSeq, event.reason]).toEqual([accounted + 1, "slow_consumer"]);
      accounted = event.toSeq;
      hasGap = true;
    }
    yielded += 1;
    if (accounted === first + 600) break;
  }
  expect(hasGap).toBe(true);
  expect(yielded).toBeLessThan(120);
});
