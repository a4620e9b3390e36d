/** The SSE feed as clients see it. */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { type ErrorCode, errorBody, MINUTE_MS, overlayCatalog } from "@assay/contract";
import { revokeKey, setTier } from "@assay/db";
import { machineTime } from "@assay/ports";
import { FRIDAY_MS, fakeClock, makeKey, makeTick, type TestKey } from "@assay/testkit";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSse } from "../testing/clients.ts";
import { goldAt, startTestStreams, type TestStreams, wireTick } from "../testing/start-test-streams.ts";

const GOLD = "?symbol=XAU-USD-SPOT";
let app: TestStreams;
let key: TestKey;
let seq = 500;

beforeAll(async () => {
  app = await startTestStreams({ before: { ticks: [makeTick(500)] } });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.advance(1_000);
  key = await app.key("pro");
});

const publishGold = async () => {
  seq += 1;
  const tick = goldAt(app.clock, seq, { price: "4003.196", conf: "0.204" });
  await app.publish(tick);
  return tick;
};

describe("a stream", () => {
  test("begins with the retry time and the last known price, and continues with every tick under its id", async () => {
    const known = await publishGold();
    const stream = await app.sse(GOLD, key.key);
    expect(stream.status).toBe(200);
    expect((await stream.next("retry")).data).toBe("3000");
    expect(await stream.next("message")).toEqual({
      event: "message",
      id: `XAU-USD-SPOT:${known.seq}`,
      data: { ...wireTick(known, "4003.20", "0.20"), snapshot: true },
    });
    const next = await publishGold();
    expect(await stream.next("message")).toEqual({
      event: "message",
      id: `XAU-USD-SPOT:${next.seq}`,
      data: wireTick(next, "4003.20", "0.20"),
    });
  });

  test("has headers that keep proxies from buffering it, and those of limits", async () => {
    const { headers } = await app.sse(GOLD, key.key, { "X-Request-Id": "mine-1" });
    expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(headers.get("x-accel-buffering")).toBe("no");
    expect(headers.get("x-request-id")).toBe("mine-1");
    expect(headers.get("ratelimit-policy")).toContain('"minute";q=300;w=60');
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each(["gold", "XAU", "xau-usd-spot"])("accepts %s for gold", async (symbol) => {
    const stream = await app.sse(`?symbol=${symbol}`, key.key);
    expect((await stream.next("message")).data).toMatchObject({ symbol: "XAU-USD-SPOT" });
  });

  test("carries one symbol only", async () => {
    const stream = await app.sse("?symbol=XAG-USD-SPOT", key.key);
    await publishGold();
    await app.publish(makeTick(1_000 + seq, { instrument: "XAG-USD-SPOT", price: "50.12345", computedAtMs: app.clock() }));
    expect((await stream.next("message")).data).toMatchObject({ symbol: "XAG-USD-SPOT", price: "50.1235" });
    expect(stream.parts.filter(({ event }) => event === "message")).toHaveLength(1);
  });

  test("feeds a standard EventSource, whose message handler sees only ticks", async () => {
    await publishGold();
    const source = new EventSource(`${app.url}/v1/prices/stream${GOLD}`, {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, "X-API-Key": key.key } }),
    });
    const seen: unknown[] = [];
    source.onmessage = ({ data, lastEventId }) => seen.push([lastEventId, JSON.parse(data).seq]);
    await expect.poll(() => seen.length).toBe(1);
    const next = await publishGold();
    await expect
      .poll(() => seen)
      .toEqual([
        [`XAU-USD-SPOT:${next.seq - 1}`, next.seq - 1],
        [`XAU-USD-SPOT:${next.seq}`, next.seq],
      ]);
    source.close();
  });

  test("is counted as one call, however long it lasts", async () => {
    const stream = await app.sse(GOLD, key.key);
    await publishGold();
    await stream.next("message");
    expect(await app.live.counters.read(key.orgId, "2026-11-20")).toMatchObject({ today: 1 });
  });
});

describe("Last-Event-ID", () => {
  const resume = (id: string) => app.sse(GOLD, key.key, { "Last-Event-ID": id });

  test("resends exactly what was missed, and no snapshot", async () => {
    const first = await publishGold();
    const missed = [await publishGold(), await publishGold()];
    const stream = await resume(`XAU-USD-SPOT:${first.seq}`);
    for (const tick of missed) expect((await stream.next("message")).data).toEqual(wireTick(tick, "4003.20", "0.20"));
  });

  test("is read from the address of clients that send it there; the header wins", async () => {
    const first = await publishGold();
    const second = await publishGold();
    const third = await publishGold();
    const address = `${GOLD}&lastEventId=XAU-USD-SPOT:${first.seq}`;
    expect((await (await app.sse(address, key.key)).next("message")).data).toMatchObject({ seq: second.seq });
    const both = await app.sse(address, key.key, { "Last-Event-ID": `XAU-USD-SPOT:${second.seq}` });
    expect((await both.next("message")).data).toMatchObject({ seq: third.seq });
    const refused = await app.sse(`${GOLD}&lastEventId=XAG-USD-SPOT:7`, key.key);
    expect(refused.json).toMatchObject({ error: "validation_error", issues: [{ path: ["query", "lastEventId"] }] });
  });

  test.each([
    ...["7", "XAG-USD-SPOT:7", "XAU-USD-SPOT:", "XAU-USD-SPOT:1.5", "XAU-USD-SPOT:-1", "XAU-USD-SPOT:1x", "x".repeat(300)],
    ...["XAU-USD-SPOT:9007199254740992", "XAU-USD-SPOT:1e15"],
  ])("%s is refused, as it does not belong to this stream", async (id) => {
    const refused = await resume(id);
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({ error: "validation_error", issues: [{ path: ["header", "Last-Event-ID"] }] });
    expect(await app.live.places.count(key)).toBe(0);
  });
});

describe("a refusal is ordinary JSON", () => {
  test("names the parameters the feed does not have, and ignores those that begin with an underscore", async () => {
    const refused = await app.sse("?symbols=XAU-USD-SPOT,XAG-USD-SPOT&Symbol=gold&_=1", key.key);
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      issues: [
        { path: ["query", "symbols"], code: "unrecognized_parameter", message: expect.stringContaining("/v1/stream") },
        { path: ["query", "Symbol"], code: "unrecognized_parameter", message: expect.stringContaining("it is written symbol") },
        { path: ["query", "symbol"], message: "is required" },
      ],
    });
    expect((await app.sse("?symbols=gold", undefined)).status, "after the key").toBe(401);
    expect((await app.sse(`${GOLD}&_=1764061200`, key.key)).status).toBe(200);
  });

  const REFUSALS: [string, string, string | null, number, ErrorCode][] = [
    ["no key", GOLD, null, 401, "unauthenticated"],
    ["a bad key", GOLD, "assay_live_bad", 401, "invalid_api_key"],
    ["no symbol", "", "pro", 422, "validation_error"],
    ["an empty symbol", "?symbol=", "pro", 422, "validation_error"],
    ["two symbols", `${GOLD}&symbol=XAG-USD-SPOT`, "pro", 422, "validation_error"],
    ["an overlong symbol", `?symbol=${"x".repeat(65)}`, "pro", 422, "validation_error"],
    ["garbage", "?symbol=garbage", "pro", 400, "invalid_symbol"],
    ["copper, which SSE does not carry", "?symbol=HG-USD-SPOT", "pro", 400, "invalid_symbol"],
    ["gold in euro", "?symbol=XAU-EUR-SPOT", "pro", 400, "invalid_symbol"],
    ["the tier below", GOLD, "physical", 403, "plan_gated"],
  ];
  test.each(REFUSALS)("for %s", async (_name, query, holder, status, code) => {
    const { key: supplied } = holder === "physical" ? await app.key("physical") : key;
    const refused = await app.sse(query, holder === null ? undefined : holder === "assay_live_bad" ? holder : supplied);
    expect(refused.status).toBe(status);
    expect(errorBody(code).strict().safeParse(refused.json).error?.issues).toBeUndefined();
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(refused.headers.get("x-request-id")).toBeTruthy();
  });

  test("while keys cannot be verified", async () => {
    app.store.break();
    const refused = await app.sse(GOLD, (await makeUnseen()).key);
    app.store.recover();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  });
  const makeUnseen = async () => {
    app.store.recover();
    const unseen = await app.key("pro");
    app.store.break();
    return unseen;
  };

  test("for a method it does not support", async () => {
    const response = await fetch(`${app.url}/v1/prices/stream${GOLD}`, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("beyond the minute's limit", async () => {
    const [limit, window] = [300, { key: `org:${key.orgId}`, limit: 300, windowMs: 60_000 }];
    for (let at = 0; at < limit; at++) await app.live.admissions.admit([window], null);
    const refused = await app.sse(GOLD, key.key);
    expect(refused.status).toBe(429);
    expect(refused.json).toMatchObject({ error: "rate_limit_exceeded", window: "minute" });
  });
});

describe("the cap", () => {
  test("counts SSE and WebSocket together, per key", async () => {
    const realtime = await app.key("realtime_pro");
    for (let at = 0; at < 5; at++) await app.ws(realtime.key);
    for (let at = 0; at < 5; at++) expect((await app.sse(GOLD, realtime.key)).status).toBe(200);
    const refused = await app.sse(GOLD, realtime.key);
    expect(refused.status).toBe(429);
    expect(errorBody("rate_limit_exceeded").strict().parse(refused.json)).toMatchObject({ window: "streams", limit: 10 });
    expect(refused.headers.get("retry-after")).toBe("5");
  });

  test("is twice the tier's for all keys of an organisation together: minting keys adds nothing", async () => {
    const keys = [key];
    for (let count = 1; count < 5; count += 1) keys.push(await app.key("pro", key));
    const statuses: number[] = [];
    for (const { key: each } of keys) for (let at = 0; at < 3; at += 1) statuses.push((await app.sse(GOLD, each)).status);
    expect(statuses).toEqual([...Array(6).fill(200), ...Array(9).fill(429)]);
    expect((await app.sse(GOLD, (await app.key("pro")).key)).status).toBe(200);
  });

  test("frees the place of a client that leaves", async () => {
    const streams = [await app.sse(GOLD, key.key), await app.sse(GOLD, key.key), await app.sse(GOLD, key.key)];
    expect((await app.sse(GOLD, key.key)).status).toBe(429);
    streams[0]?.close();
    await expect.poll(() => app.live.places.count(key)).toBe(2);
    expect((await app.sse(GOLD, key.key)).status).toBe(200);
  });

  test("is not affected by HEAD, which answers the headers and ends", async () => {
    const answer = await openSse(`${app.url}/v1/prices/stream${GOLD}`, key.key, {}, "HEAD");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    await answer.ended;
    expect(await app.live.places.count(key)).toBe(0);
  });
});

/** A clock by which more has elapsed than has. */
const later = (passedMs: () => number) =>
  Object.assign(fakeClock(FRIDAY_MS), { elapsed: () => machineTime.elapsed() + passedMs() });

describe("a stream at the end of its lifetime", () => {
  test("ends cleanly after 30 minutes and a tenth at most, frees its place, and is resumed without a loss", async () => {
    let passedMs = 0;
    const own = await startTestStreams({ clock: later(() => passedMs), random: () => 0.999 });
    const holder = await own.key("pro");
    const stream = await own.sse(GOLD, holder.key);
    await own.publish(goldAt(own.clock, 1));
    expect((await stream.next("message")).data.seq).toBe(1);
    passedMs = 32.9 * MINUTE_MS;
    await stream.next("heartbeat");
    await own.publish(goldAt(own.clock, 2));
    expect((await stream.next("message")).data.seq).toBe(2);
    expect(await own.live.places.count(holder)).toBe(1);
    passedMs = 33 * MINUTE_MS;
    await stream.ended;
    expect(stream.parts.at(-1)).toEqual({ event: "retry", id: null, data: "1000" });
    expect(stream.parts.filter(({ event }) => event === "error" || event === "gap")).toEqual([]);
    await expect.poll(() => own.live.places.count(holder)).toBe(0);
    await own.publish(goldAt(own.clock, 3), goldAt(own.clock, 4));
    const resumed = await own.sse(GOLD, holder.key, { "Last-Event-ID": "XAU-USD-SPOT:2" });
    await own.publish(goldAt(own.clock, 5));
    const seqs = [];
    for (let count = 0; count < 3; count += 1) seqs.push((await resumed.next("message")).data.seq);
    expect(seqs).toEqual([3, 4, 5]);
    expect(own.log.filter(({ message }) => message === "closed a stream")).toEqual([]);
    await own.close();
  });

  test("is not ended before 27 minutes, and WebSocket sessions are not ended for their age", async () => {
    let passedMs = 0;
    const own = await startTestStreams({ clock: later(() => passedMs), random: () => 0, timing: { pingMs: 1e9 } });
    const session = await own.ws((await own.key("realtime_pro")).key);
    const stream = await own.sse(GOLD, (await own.key("pro")).key);
    passedMs = 26.9 * MINUTE_MS;
    await stream.next("heartbeat");
    passedMs = 27 * MINUTE_MS;
    await stream.ended;
    await session.next("heartbeat");
    session.send({ action: "ping" });
    await session.next("pong");
    await own.close();
  });
});

describe("an end", () => {
  test("of the key is announced, then the stream ends", async () => {
    const stream = await app.sse(GOLD, key.key);
    await revokeKey(app.store, { id: key.keyId, atMs: app.clock() });
    await app.live.bus.publish({ kind: "key-changed", keyHash: key.keyHash, revokedAtMs: app.clock() });
    expect((await stream.next("error")).data).toMatchObject({ code: "unauthenticated", fatal: true });
    await stream.ended;
    expect(await app.live.places.count(key)).toBe(0);
  });

  test("that the key was minted with ends the stream then, without an announcement", async () => {
    const endMs = app.clock() + 60_000;
    const ending = await makeKey(app.store, { tier: "pro", nowMs: app.clock(), expiresAtMs: endMs });
    const stream = await app.sse(GOLD, ending.key);
    app.clock.set(endMs);
    expect((await stream.next("error")).data).toMatchObject({ code: "unauthenticated", fatal: true });
    await stream.ended;
    expect((await app.sse(GOLD, ending.key)).status).toBe(401);
  });
});

test("a new tier without streams ends the stream, and a lower one with them does not", async () => {
  const [lowered, kept] = [await app.key("pro"), await app.key("realtime_pro")];
  const [ended, open] = [await app.sse(GOLD, lowered.key), await app.sse(GOLD, kept.key)];
  await setTier(app.store, lowered.orgId, "free");
  await setTier(app.store, kept.orgId, "pro");
  for (const { keyHash } of [lowered, kept]) await app.live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs: null });
  expect((await ended.next("error")).data).toMatchObject({
    code: "plan_gated",
    message: "Your tier does not include this stream.",
  });
  await ended.ended;
  const tick = await publishGold();
  await expect.poll(async () => (await open.next("message")).id).toBe(`XAU-USD-SPOT:${tick.seq}`);
  expect((await app.sse(GOLD, lowered.key)).status).toBe(403);
});

test("a new tier without the symbol ends its stream alone", async () => {
  const catalog = overlayCatalog({ pro: { allowed_bases: ["XAU"] } });
  const own = await startTestStreams({ catalog });
  try {
    const { key, keyHash, orgId } = await own.key("realtime_pro");
    const [silver, gold] = [await own.sse("?symbol=XAG-USD-SPOT", key), await own.sse(GOLD, key)];
    expect([silver.status, gold.status]).toEqual([200, 200]);
    await setTier(own.store, orgId, "pro");
    await own.live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs: null });
    expect((await silver.next("error")).data).toMatchObject({ code: "plan_gated", fatal: true });
    await silver.ended;
    await own.publish(goldAt(own.clock, 1));
    expect((await gold.next("message")).id).toBe("XAU-USD-SPOT:1");
  } finally {
    await own.close();
  }
});

describe("the connection of a stream", () => {
  const open = (behind: string) => {
    const socket = connect(app.port, "127.0.0.1", () => {
      const head = `GET /v1/prices/stream${GOLD} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key.key}\r\n\r\n`;
      socket.write(`${head}${behind}`);
    });
    socket.on("error", () => undefined);
    return socket;
  };
  const HEALTH = "GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n";

  test("is closed when another request is pipelined behind the stream, whose answer would have to wait", async () => {
    const [together, after] = [open(HEALTH).resume(), open("")];
    await once(together, "close");
    await once(after, "data");
    after.resume().write(HEALTH);
    await once(after, "close");
    await expect.poll(() => app.live.places.count(key)).toBe(0);
  });

  test("closes with it: no later request on it escapes the rule for stalled readers", async () => {
    const socket = open("");
    const [head] = await once(socket, "data");
    expect(String(head)).toMatch(/\r\nConnection: close\r\n/i);
    await app.live.bus.publish({ kind: "key-changed", keyHash: key.keyHash, revokedAtMs: app.clock() });
    await once(socket.resume(), "close");
  });
});

test("HTTP/1.0 gets the stream without chunks", async () => {
  const body = await new Promise<string>((resolve, reject) => {
    const { port } = app;
    import("node:net").then(({ connect }) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`GET /v1/prices/stream${GOLD} HTTP/1.0\r\nAuthorization: Bearer ${key.key}\r\n\r\n`);
      });
      let text = "";
      socket.on("data", (data) => {
        text += data.toString();
        if (!text.includes('"type":"tick"')) return;
        socket.destroy();
        resolve(text.slice(text.indexOf("\r\n\r\n") + 4));
      });
      socket.on("error", reject);
    }, reject);
  });
  expect(body).toMatch(/^retry: 3000\n\nid: XAU-USD-SPOT:[0-9]+\ndata: \{/);
});

test("the WebSocket path answers a plain request with the required upgrade", async () => {
  const answer = await new Promise<{ status: number | undefined; upgrade: string | undefined }>((resolve, reject) => {
    request(`${app.url}/v1/stream`, (response) => {
      response.resume();
      resolve({ status: response.statusCode, upgrade: response.headers.upgrade });
    })
      .on("error", reject)
      .end();
  });
  expect(answer).toEqual({ status: 426, upgrade: "websocket" });
});
