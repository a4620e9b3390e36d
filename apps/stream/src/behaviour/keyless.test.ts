/** Streams without a key, where callers without one have a tier with streams. */
import { overlayCatalog } from "@assay/contract";
import { Assay } from "@assay/sdk/stream";
import { makeTick } from "@assay/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWs } from "../testing/clients.ts";
import { startTestStreams, type TestStreams } from "../testing/start-test-streams.ts";

const GOLD = "XAU-USD-SPOT";
const FEED = `?symbol=${GOLD}`;
const catalog = overlayCatalog({ realtime_pro: { max_concurrent_streams: 3 } }, "realtime_pro");
/** An address other than that of the test itself. */

const ELSEWHERE = { "X-Forwarded-For": "192.0.2.7" };

let app: TestStreams;
beforeEach(async () => {
  app = await startTestStreams({ before: { ticks: [makeTick(1)] }, catalog });
});
afterEach(() => app.close());

const openWithoutKey = async () => {
  const client = await app.ws();
  client.send({ action: "auth" });
  return client;
};
const placesOf = () => app.live.places.count({ keyId: "address:127.0.0.1", orgId: "address:127.0.0.1" });

test.each(["sse", "websocket"] as const)("the SDK follows gold over %s without a key", async (transport) => {
  const assay = new Assay({ apiKey: null, baseUrl: app.url });
  for await (const event of assay.stream.subscribe({ symbols: [GOLD], transport })) {
    if (event.type !== "tick") continue;
    expect(event.price.text).toBe("4003.20");
    break;
  }
});

test("an address has as many streams as the tier allows, over both transports together", async () => {
  const first = await openWithoutKey();
  expect(await first.next("welcome")).toMatchObject({ tier: "realtime_pro", max_connections: 3 });
  for (let at = 0; at < 2; at += 1) expect((await app.sse(FEED)).status).toBe(200);

  const refused = await app.sse(FEED);
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({
    error: "rate_limit_exceeded",
    message: "Your address has as many streams open as callers without a key may.",
    limit: 3,
    window: "streams",
  });
  const fourth = await openWithoutKey();
  expect(await fourth.next("error")).toMatchObject({ code: "too_many_connections", fatal: true });
  expect(await fourth.closed).toBe(4429);

  expect((await app.sse(FEED, undefined, ELSEWHERE)).status, "another address").toBe(200);
  expect((await app.sse(FEED, (await app.key("realtime_pro")).key)).status, "a key at the same address").toBe(200);
});

test("a stream without a key gives its place back, however it ends", async () => {
  const [polite, rude] = [await openWithoutKey(), await openWithoutKey()];
  const feed = await app.sse(FEED);
  await Promise.all([polite.next("welcome"), rude.next("welcome")]);
  expect(await placesOf()).toBe(3);
  polite.socket.close();
  rude.socket.terminate();
  feed.close();
  await expect.poll(placesOf).toBe(0);
});

test("a bad key is refused as ever, and does not become a caller without one", async () => {
  expect((await app.sse(FEED, "assay_live_bad")).json).toMatchObject({ error: "invalid_api_key" });
  const client = await app.ws();
  client.send({ action: "auth", api_key: "" });
  expect(await client.next("error")).toMatchObject({ code: "unauthenticated", fatal: true });
  expect(await client.closed).toBe(4401);
});

test("a browser page of another site gets nothing without a key, and what its key opens with one", async () => {
  const foreign = { origin: "https://evil.example" };
  const client = await openWs(`${app.url.replace("http", "ws")}/v1/stream`, foreign);
  client.send({ action: "auth" });
  expect(await client.closed).toBe(4401);
  const keyed = await openWs(`${app.url.replace("http", "ws")}/v1/stream`, foreign);
  keyed.send({ action: "auth", api_key: (await app.key("realtime_pro")).key });
  expect(await keyed.next("welcome")).toMatchObject({ tier: "realtime_pro" });
  keyed.close();
});

test("a first frame other than auth is refused as ever", async () => {
  const client = await app.ws();
  client.send({ action: "subscribe", symbols: [GOLD] });
  expect(await client.next("error")).toMatchObject({ code: "unauthenticated", fatal: true });
});
