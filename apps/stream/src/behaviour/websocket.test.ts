/** WebSocket sessions as clients see them. */
import { setTier } from "@assay/db";
import { makeKey, makeTick, type TestKey } from "@assay/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { goldAt, startTestStreams, type TestStreams, wireTick } from "../testing/start-test-streams.ts";

let app: TestStreams;
let key: TestKey;
let seq = 100;

beforeAll(async () => {
  app = await startTestStreams();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.clock.advance(1_000);
  key = await app.key("realtime_pro");
});

const gold = (price = "4003.196") => goldAt(app.clock, ++seq, { price, conf: "0.204" });
const publishGold = async (price?: string) => {
  const tick = gold(price);
  await app.publish(tick);
  return tick;
};

describe("the first frame", () => {
  test("accepts a key of Realtime Pro, and states the limits in force", async () => {
    const client = await app.ws();
    client.send({ action: "auth", api_key: key.key });
    expect(await client.next("welcome")).toMatchObject({
      tier: "realtime_pro",
      heartbeat_interval_seconds: 15,
      max_symbols: 8,
      max_connections: 10,
      server_time: new Date(app.clock()).toISOString(),
    });
  });

  test("may be followed by others at once, which are carried out in order after the welcome", async () => {
    const client = await app.ws();
    client.send({ action: "auth", api_key: key.key });
    client.send({ action: "subscribe", id: "a", symbols: ["HG-USD-SPOT"] });
    client.send({ action: "ping", id: 7 });
    await client.next("pong");
    expect(client.frames.map(({ type }) => type)).toEqual(["welcome", "subscribed", "pong"]);
  });

  test.each([
    ["a key nobody has", { action: "auth", api_key: "assay_live_nobody" }],
    ["no key", { action: "auth" }],
    ["a subscription", { action: "subscribe", symbols: ["XAU-USD-SPOT"] }],
    ["a ping", { action: "ping" }],
  ])("that is %s is refused with an error and 4401", async (_name, frame) => {
    const client = await app.ws();
    client.send(frame);
    expect(await client.next("error")).toMatchObject({
      code: "unauthenticated",
      fatal: true,
      message: expect.stringContaining("first frame is not auth"),
    });
    expect(await client.closed).toBe(4401);
    expect(client.frames).toHaveLength(1);
  });

  test.each(["free", "basic", "physical", "pro"] as const)("of a key of %s is refused with 4403", async (tier) => {
    const low = await app.key(tier);
    const client = await app.ws();
    client.send({ action: "auth", api_key: low.key });
    expect(await client.next("error")).toMatchObject({ code: "plan_gated", fatal: true });
    expect(await client.closed).toBe(4403);
  });

  test("is refused with 4503 while keys cannot be verified", async () => {
    const unseen = await app.key("realtime_pro");
    const client = await app.ws();
    app.store.break();
    client.send({ action: "auth", api_key: unseen.key });
    expect(await client.next("error")).toMatchObject({ code: "auth_unavailable", fatal: true });
    app.store.recover();
    expect(await client.closed).toBe(4503);
  });

  test("is not read from headers: a key in the handshake does not authenticate", async () => {
    const { openWs } = await import("../testing/clients.ts");
    const client = await openWs(`${app.url.replace("http", "ws")}/v1/stream`, {
      headers: { Authorization: `Bearer ${key.key}` },
    });
    client.send({ action: "subscribe", symbols: ["XAU-USD-SPOT"] });
    expect(await client.closed).toBe(4401);
  });

  test("is sent once: a second key is an error that ends nothing", async () => {
    const client = await app.ws(key.key);
    client.send({ action: "auth", api_key: key.key });
    expect(await client.next("error")).toMatchObject({ code: "already_authenticated", fatal: false });
    client.send({ action: "ping" });
    await client.next("pong");
  });
});

describe("a subscription", () => {
  test("is acknowledged, then gets the last known price, then every tick", async () => {
    const known = await publishGold();
    const client = await app.ws(key.key);
    expect(await client.subscribe(["XAU-USD-SPOT"], { id: "s1" })).toEqual({
      type: "subscribed",
      id: "s1",
      symbols: ["XAU-USD-SPOT"],
      channels: [],
      rejected: [],
    });
    expect(await client.next("tick")).toEqual({ ...wireTick(known, "4003.20", "0.20"), snapshot: true });
    const next = await publishGold("4004.555");
    expect(await client.next("tick")).toEqual(wireTick(next, "4004.56", "0.20"));
  });

  test("accepts aliases and any case, and answers with the canonical whole set", async () => {
    const client = await app.ws(key.key);
    await client.subscribe(["xau-usd-spot"], { channels: ["PHYSICAL:ae"] });
    expect(await client.subscribe(["silver", "HG-USD-SPOT"])).toMatchObject({
      symbols: ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"],
      channels: ["physical:AE"],
    });
  });

  test("names what it rejects, and continues with the rest", async () => {
    const client = await app.ws(key.key);
    const names = ["XAU-EUR-SPOT", "garbage", "XAU-USD-SPOT", "copper", "XPT-USD-SPOT"];
    expect(await client.subscribe(names, { channels: ["physical:US", "physical:VN", "bars"] })).toMatchObject({
      symbols: ["XAU-USD-SPOT"],
      channels: ["physical:VN"],
      rejected: ["XAU-EUR-SPOT", "garbage", "copper", "XPT-USD-SPOT", "physical:US", "bars"].map((name) => ({
        name,
        code: "invalid_symbol",
      })),
    });
  });

  test("receives only what it follows", async () => {
    const client = await app.ws(key.key);
    await client.subscribe(["HG-USD-SPOT"]);
    await publishGold();
    await app.publish(makeTick(1, { instrument: "HG-USD-SPOT", price: "5.01234", conf: "0.001", computedAtMs: app.clock() }));
    expect(await client.next("tick")).toMatchObject({ symbol: "HG-USD-SPOT", price: "5.0123", conf: "0.0010" });
    expect(client.frames.filter(({ type }) => type === "tick")).toHaveLength(1);
  });

  test("that is removed is acknowledged with what is left, and receives nothing more", async () => {
    const client = await app.ws(key.key);
    await client.subscribe(["XAU-USD-SPOT", "XAG-USD-SPOT"]);
    client.send({ action: "unsubscribe", id: 2, symbols: ["gold", "nothing"] });
    expect(await client.next("unsubscribed")).toEqual({
      type: "unsubscribed",
      id: 2,
      symbols: ["XAG-USD-SPOT"],
      channels: [],
      rejected: [{ name: "nothing", code: "invalid_symbol" }],
    });
    const before = client.frames.length;
    await publishGold();
    client.send({ action: "ping" });
    await client.next("pong");
    expect(client.frames.slice(before).map(({ type }) => type)).toEqual(["pong"]);
  });

  test("repeated on one connection repeats no tick", async () => {
    const client = await app.ws(key.key);
    await client.subscribe(["XAU-USD-SPOT"]);
    await client.subscribe(["XAU-USD-SPOT"]);
    const next = await publishGold();
    client.send({ action: "ping" });
    await client.next("pong");
    const seqs = client.frames.flatMap((frame) => (frame.type === "tick" ? [frame.seq] : []));
    expect(seqs).toEqual([next.seq - 1, next.seq]);
  });
});

describe("bad frames", () => {
  test.each([
    ["garbage", "{nonsense"],
    ["JSON that is no object", "[1,2]"],
    ["no action", "{}"],
    ["an action nobody knows", '{"action":"sing"}'],
    ["binary", Buffer.from('{"action":"ping"}')],
    ["4 KiB and one byte", `{"action":"ping","x":"${"x".repeat(4_097 - 24)}"}`.padEnd(4_097)],
    ["a megabyte", "x".repeat(1_048_576)],
  ])("%s ends the session with an error and 4400", async (name, frame) => {
    const client = await app.ws(key.key);
    client.socket.send(frame, { binary: Buffer.isBuffer(frame) });
    expect(await client.next("error"), name).toMatchObject({ code: "bad_frame", fatal: true });
    expect(await client.closed).toBe(4400);
  });

  test.each([
    ["an opcode nobody knows", [0x83, 0x80, 0, 0, 0, 0]],
    ["an unmasked frame", [0x81, 0x02, 0x7b, 0x7d]],
    ["text that is not UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]],
    ["reserved bits", [0xc1, 0x80, 0, 0, 0, 0]],
    ["a piece of nothing", [0x80, 0x80, 0, 0, 0, 0]],
  ])("%s ends the session with an error and 4400", async (_name, bytes) => {
    const client = await app.ws(key.key);
    // The client's raw socket, to send what no client would.
    (client.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from(bytes));
    expect(await client.next("error")).toMatchObject({ code: "bad_frame", fatal: true });
    expect(await client.closed).toBe(4400);
  });

  test("a frame of exactly 4 KiB is accepted", async () => {
    const client = await app.ws(key.key);
    client.send(`{"action":"ping"}`.padEnd(4_096));
    await client.next("pong");
  });

  test("wrong fields of a known action are an error that names them and ends nothing", async () => {
    const client = await app.ws(key.key);
    client.send({ action: "subscribe", id: "x1", symbols: "XAU-USD-SPOT" });
    expect(await client.next("error")).toMatchObject({
      id: "x1",
      code: "validation_error",
      fatal: false,
      message: expect.stringContaining("symbols"),
    });
    client.send({ action: "ping", id: "still" });
    expect(await client.next("pong")).toMatchObject({ id: "still" });
  });

  test.each([
    [
      { action: "subscribe", symbols: ["gold"], currency: "EUR" },
      "currency is not a field of subscribe: the fields are action, id",
    ],
    [{ action: "subscribe", symbol: "gold" }, "symbol is not a field of subscribe: it is written symbols"],
    [{ action: "unsubscribe", Channel: ["physical:AE"] }, "Channel is not a field of unsubscribe: it is written channels"],
    [{ action: "ping", "": 1 }, "an empty name is not a field of ping"],
  ])("%j is an error that names the field, changes nothing and ends nothing", async (frame, message) => {
    const client = await app.ws(key.key);
    client.send({ ...frame, id: "x1" });
    const error = { id: "x1", code: "validation_error", fatal: false, message: expect.stringContaining(message) };
    expect(await client.next("error")).toMatchObject(error);
    client.send({ action: "unsubscribe", id: "still" });
    expect(await client.next("unsubscribed")).toMatchObject({ id: "still", symbols: [], channels: [] });
    expect(client.frames.filter(({ type }) => type === "subscribed")).toEqual([]);
  });

  test("fields that begin with _ are ignored", async () => {
    const client = await app.ws(key.key);
    client.send({ action: "subscribe", symbols: ["gold"], _trace: 1 });
    expect(await client.next("subscribed")).toMatchObject({ symbols: ["XAU-USD-SPOT"] });
  });

  test("an action nobody knows is answered with those that exist", async () => {
    const client = await app.ws(key.key);
    client.send({ action: "sing" });
    expect(await client.next("error")).toMatchObject({
      code: "bad_frame",
      fatal: true,
      message: expect.stringContaining("auth, subscribe, unsubscribe, ping"),
    });
    expect(await client.closed).toBe(4400);
  });

  test("twenty within ten seconds are accepted, the next is one too many", async () => {
    const client = await app.ws(key.key);
    for (let at = 0; at < 19; at++) client.send({ action: "ping", id: at });
    for (let at = 0; at < 19; at++) expect(await client.next("pong")).toMatchObject({ id: at });
    client.send({ action: "ping" });
    expect(await client.next("error")).toMatchObject({ code: "too_many_frames", fatal: true });
    expect(await client.closed).toBe(4400);
  });

  test("pings of the protocol count as well", async () => {
    const client = await app.ws(key.key);
    for (let at = 0; at < 20; at++) client.socket.ping();
    expect(await client.next("error")).toMatchObject({ code: "too_many_frames" });
    expect(await client.closed).toBe(4400);
  });
});

describe("the cap", () => {
  test("refuses the eleventh connection of a key, and never the oldest", async () => {
    const clients = [];
    for (let at = 0; at < 10; at++) clients.push(await app.ws(key.key));
    const eleventh = await app.ws();
    eleventh.send({ action: "auth", api_key: key.key });
    expect(await eleventh.next("error")).toMatchObject({ code: "too_many_connections", fatal: true });
    expect(await eleventh.closed).toBe(4429);
    for (const client of clients) client.send({ action: "ping" });
    for (const client of clients) await client.next("pong");
    clients[0]?.close();
    await expect.poll(async () => app.live.places.count(key)).toBe(9);
    await app.ws(key.key);
  });

  test("frees the places of sessions that ended in any way", async () => {
    const [polite, rude, wrong] = [await app.ws(key.key), await app.ws(key.key), await app.ws(key.key)];
    polite.socket.close();
    rude.socket.terminate();
    wrong.send("{");
    await expect.poll(async () => app.live.places.count(key)).toBe(0);
  });
});

describe("a key's end", () => {
  test("closes its sessions with 4401, and no other key's", async () => {
    const other = await app.key("realtime_pro");
    const [mine, theirs] = [await app.ws(key.key), await app.ws(other.key)];
    const { revokeKey } = await import("@assay/db");
    await revokeKey(app.store, { id: key.keyId, atMs: app.clock() });
    await app.live.bus.publish({ kind: "key-changed", keyHash: key.keyHash, revokedAtMs: app.clock() });
    expect(await mine.next("error")).toMatchObject({ code: "unauthenticated", fatal: true });
    expect(await mine.closed).toBe(4401);
    theirs.send({ action: "ping" });
    await theirs.next("pong");
  });

  test("closes its sessions within five seconds when no event announces it", async () => {
    const client = await app.ws(key.key);
    const { revokeKey } = await import("@assay/db");
    const sinceMs = performance.now();
    await revokeKey(app.store, { id: key.keyId, atMs: app.clock() });
    expect(await client.closed).toBe(4401);
    expect(performance.now() - sinceMs).toBeLessThan(5_000);
  });

  test("in the future leaves them open until then", async () => {
    const client = await app.ws(key.key);
    await app.live.bus.publish({ kind: "key-changed", keyHash: key.keyHash, revokedAtMs: app.clock() + 60_000 });
    client.send({ action: "ping" });
    await client.next("pong");
    app.clock.advance(60_000);
    expect(await client.closed).toBe(4401);
  });

  test("that it was minted with closes its sessions then, and lets it open no more", async () => {
    const endMs = app.clock() + 60_000;
    const ending = await makeKey(app.store, { tier: "realtime_pro", nowMs: app.clock(), expiresAtMs: endMs });
    const client = await app.ws(ending.key);
    app.clock.set(endMs - 1);
    client.send({ action: "ping" });
    await client.next("pong");
    app.clock.set(endMs);
    expect(await client.next("error")).toMatchObject({ code: "unauthenticated", fatal: true });
    expect(await client.closed).toBe(4401);
    const late = await app.ws();
    late.send({ action: "auth", api_key: ending.key });
    expect(await late.closed).toBe(4401);
  });
});

describe("a new tier of a key's organisation", () => {
  test.each(["announced", "not announced"])("closes its sessions with 4403 when it has none, %s, and no others", async (how) => {
    const [lowered, kept] = [await app.key("realtime_pro"), await app.key("realtime_pro")];
    const [mine, theirs] = [await app.ws(lowered.key), await app.ws(kept.key)];
    const sinceMs = performance.now();
    await setTier(app.store, lowered.orgId, "pro");
    await setTier(app.store, kept.orgId, "realtime_pro");
    if (how === "announced") {
      for (const { keyHash } of [lowered, kept]) await app.live.bus.publish({ kind: "key-changed", keyHash, revokedAtMs: null });
    }
    expect(await mine.next("error")).toMatchObject({ code: "plan_gated", fatal: true });
    expect(await mine.closed).toBe(4403);
    expect(performance.now() - sinceMs).toBeLessThan(5_000);
    theirs.send({ action: "ping" });
    await theirs.next("pong");
  });
});
