import { inspect } from "node:util";
import { expect, test } from "vitest";
import { gap, heartbeat, NOON_MS, tick } from "../testing/frames.ts";
import { type Feed, GOLD, HASTY, type Handlers, KEY, openStream, SILVER } from "../testing/stream-service.ts";
import type { ClientOptions, SseOptions, SseSymbol } from "./index.ts";

const open = (
  onFeed: NonNullable<Handlers["onFeed"]>,
  symbols: SseSymbol[] = [GOLD],
  client: ClientOptions = {},
  more: Partial<SseOptions> = {},
  clock = HASTY,
) => openStream({ onFeed }, { transport: "sse", symbols, ...more }, client, clock);
const refuse = ({ response }: Feed, status: number, body: object, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};
const REFUSAL = { message: "No.", request_id: "r1" };

test("ticks, heartbeats and gaps come as over a WebSocket, the key in the header", async () => {
  const { reader, service } = await open((feed) => {
    feed.open();
    feed.tick(tick(41, GOLD, NOON_MS, { snapshot: true }));
    feed.event("gap", gap(42, 44, "missed"));
    feed.tick(tick(45));
    feed.response.write(": heartbeat\n\n");
    feed.event("heartbeat", heartbeat({ [GOLD]: 45 }));
    feed.event("of tomorrow", {});
  });
  expect(await reader.next("tick")).toMatchObject({ symbol: GOLD, seq: 41, snapshot: true, computedAt: new Date(NOON_MS) });
  expect(await reader.next("gap")).toMatchObject({ fromSeq: 42, toSeq: 44, reason: "missed", bars: null });
  expect((await reader.next("tick")).price.text).toBe("4003.0045");
  expect(await reader.next("heartbeat")).toMatchObject({ market: "open" });
  expect(service.feeds[0]?.url).toBe(`/v1/prices/stream?symbol=${GOLD}`);
  expect(service.feeds[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, accept: "text/event-stream" });
  expect(service.feeds[0]?.headers["last-event-id"]).toBeUndefined();
});

test.each([
  ["an end of the answer", (feed: Feed) => feed.response.end()],
  ["a cut line", (feed: Feed) => feed.response.destroy()],
  [
    "server_draining",
    (feed: Feed) => feed.event("error", { type: "error", code: "server_draining", message: "Bye.", fatal: true }),
  ],
  ["a frame that is no JSON", (feed: Feed) => feed.response.write("data: <html>\n\n")],
])("%s leads to another request, which resumes after the last number", async (_, lose) => {
  const { reader, service } = await open((feed, index) => {
    feed.open();
    if (index > 0) {
      feed.tick(tick(42));
      feed.tick(tick(43));
      return;
    }
    feed.tick(tick(41));
    feed.tick(tick(42));
  });
  await reader.next("tick", { seq: 42 });
  const [feed] = service.feeds;
  if (feed) lose(feed);
  await reader.next("tick", { seq: 43 });
  expect(reader.witness.delivered.get(GOLD)).toEqual([41, 42, 43]);
  expect(service.feeds[1]?.headers["last-event-id"]).toBe(`${GOLD}:42`);
  await service.feeds[0]?.closed;
});

/** A stream whose connection ends six seconds after its first tick, read until the next one has a tick. */
const endedAfterSeconds = async (end: (feed: Feed) => void) => {
  let passedMs = 0;
  const clock = { ...HASTY, elapsedMs: () => performance.now() + passedMs };
  const onFeed = (feed: Feed, index: number): void => {
    feed.open();
    feed.tick(tick(index === 0 ? 41 : 42));
  };
  const { reader, service } = await open(onFeed, [GOLD], {}, {}, clock);
  await reader.next("tick", { seq: 41 });
  passedMs = 6_000;
  const [feed] = service.feeds;
  if (feed) end(feed);
  await reader.next("tick", { seq: 42 });
  return { reader, service };
};

test("a stream that ends cleanly at the end of its lifetime is resumed, and is not a failure", async () => {
  const { reader, service } = await endedAfterSeconds((feed) => feed.response.end("retry: 1000\n\n"));
  expect(service.feeds[1]?.headers["last-event-id"]).toBe(`${GOLD}:41`);
  expect(reader.events.flatMap((event) => (event.type === "status" ? event.status : []))).toEqual([
    "connecting",
    "open",
    "connecting",
    "open",
  ]);
});

test.each([
  ["that breaks", "socket hang up|closed", (feed: Feed) => feed.response.destroy()],
  ["that ends without the service having said so, as a proxy ends it", "ended", (feed: Feed) => feed.response.end()],
])("a stream %s is reported as lost, with a reason", async (_, reason, cut) => {
  const { reader } = await endedAfterSeconds(cut);
  const lost = reader.events.filter((event) => event.type === "status" && event.status === "reconnecting");
  expect(lost).toMatchObject([{ names: [GOLD], attempt: 1, reason: expect.stringMatching(reason) }]);
});

test("every symbol has its own request, and each reconnects by itself", async () => {
  const { reader, service } = await open(
    (feed, index) => {
      feed.open();
      const symbol = feed.url.endsWith(GOLD) ? GOLD : SILVER;
      feed.tick(tick(index < 2 ? 1 : 2, symbol));
    },
    [GOLD, SILVER],
  );
  for (let symbols = 0; symbols < 2; symbols += 1) await reader.next("tick", { seq: 1 });
  service.feeds[0]?.response.destroy();
  await reader.next("tick", { seq: 2 });
  expect(service.feeds).toHaveLength(3);
  const lost = reader.events.filter((event) => event.type === "status" && event.status === "reconnecting");
  expect(lost).toMatchObject([{ names: [service.feeds[0]?.url.split("=")[1]] }]);
});

test("symbols are added and removed while it is read, and all is closed when the loop ends", async () => {
  const { reader, service, subscription } = await open((feed) => {
    feed.open();
    feed.tick(tick(1, feed.url.split("=")[1]));
  });
  await reader.next("tick", { symbol: GOLD });
  subscription.add([SILVER]);
  await reader.next("tick", { symbol: SILVER });
  subscription.remove([GOLD]);
  await service.feeds[0]?.closed;
  await subscription.return();
  await service.feeds[1]?.closed;
  expect(service.feeds).toHaveLength(2);
});

test.each([
  [401, { error: "invalid_api_key" }, "InvalidApiKeyError"],
  [401, { error: "unauthenticated" }, "UnauthenticatedError"],
  [403, { error: "plan_gated", tier: "free", required_tier: "pro" }, "PlanGatedError"],
  [400, { error: "invalid_symbol", symbol: "X", hint: "Y" }, "InvalidSymbolError"],
  [302, {}, "ApiError"],
])("an answer of %i %j ends it with the same error as REST, without a retry", async (status, body, name) => {
  const { reader, service } = await open((feed) =>
    refuse(feed, status, { ...REFUSAL, ...body }, { location: "http://127.0.0.1:1/" }),
  );
  expect(await reader.end()).toMatchObject({ name, status });
  expect(service.feeds).toHaveLength(1);
});

test("a key that has all its streams open ends it with the class a WebSocket ends with", async () => {
  const body = { ...REFUSAL, error: "rate_limit_exceeded", window: "streams", limit: 3, retry_after_seconds: 5 };
  const { reader, service } = await open((feed) => refuse(feed, 429, body));
  expect(await reader.end()).toMatchObject({
    name: "StreamTooManyConnectionsError",
    close: 4429,
    cause: { name: "RateLimitExceededError", limit: 3, window: "streams" },
  });
  expect(service.feeds).toHaveLength(1);
});

test.each([
  [503, { error: "service_unavailable" }],
  [429, { error: "rate_limited", window: "minute", limit: 3, retry_after_seconds: 0 }],
  [502, {}],
])("an answer of %i %j is retried", async (status, body) => {
  const { reader, service } = await open((feed, index) => {
    if (index === 0) {
      refuse(feed, status, { ...REFUSAL, ...body });
      return;
    }
    feed.open();
    feed.tick(tick(1));
  });
  await reader.next("tick");
  expect(service.feeds).toHaveLength(2);
});

test("a wait that the service requests is obeyed", async () => {
  const { reader } = await open((feed) =>
    refuse(feed, 503, { error: "service_unavailable", ...REFUSAL }, { "retry-after": "7" }),
  );
  const { delayMs } = (await reader.next("status", { status: "reconnecting" })) as { delayMs?: number };
  expect(delayMs).toBe(7_005);
});

test("an answer that is not a stream is retried, as a captive portal may send one", async () => {
  const { reader } = await open((feed) => feed.response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>"));
  expect(await reader.next("status", { status: "reconnecting" })).toMatchObject({ attempt: 1 });
});

test("a key that is revoked ends it", async () => {
  const { reader, service } = await open((feed) => {
    feed.open();
    feed.tick(tick(1));
    feed.event("error", { type: "error", code: "unauthenticated", message: "The API key is not valid.", fatal: true });
  });
  expect(await reader.end()).toMatchObject({ name: "InvalidApiKeyError", status: 401, cause: { close: 4401 } });
  expect(reader.witness.delivered.get(GOLD)).toEqual([1]);
  expect(service.feeds).toHaveLength(1);
});

test("a service that never answers is given up in time, and the request is aborted", async () => {
  const { reader, service } = await open(() => undefined, [GOLD], { timeoutMs: 200 });
  expect(await reader.next("status", { status: "reconnecting" })).toMatchObject({ reason: "no connection in time" });
  await service.feeds[0]?.closed;
});

test("the key is in no error, no event, no log and no URL", async () => {
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  const echo = (feed: Feed, status: number) => refuse(feed, status, { error: "x", message: `Bearer ${KEY}`, request_id: KEY });
  const { reader, subscription, service } = await open((feed, index) => echo(feed, index < 3 ? 502 : 401), [GOLD], {
    logger,
    logLevel: "debug",
  });
  const error = await reader.end();
  const shown = [error, reader.events, subscription, lines, service.feeds[0]?.url].map((value) =>
    inspect(value, { depth: 9, showHidden: true }),
  );
  expect(shown.join()).not.toContain(KEY);
  expect(lines.length).toBeGreaterThan(2);
});
