/** Stream processes that are killed, cut off, refused and revoked, with many clients: nothing is lost or repeated silently. */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { openWire } from "@assay/live/testing/wire";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "./harness/eventually.ts";
import { Follower, follow, summary, untilFollowing, untilSeq } from "./harness/follower.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { KEYS, mintKey, runEntry, type Service } from "./harness/service.ts";
import { openIdleProxy } from "./harness/simple-proxies.ts";
import { MOVING, type StreamCluster, startStreamCluster } from "./harness/stream-cluster.ts";
import { openStalled, sip } from "./harness/stream-readers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });
sayWhySkipped("stream processes on PostgreSQL and Redis");

/** The numbers of clients in the crowd and in the burst; lower on machines set to reduced load. */
const MANY = Number(process.env.STREAM_TEST_CLIENTS ?? 1_000);
const BURST = Number(process.env.STREAM_TEST_BURST ?? 10_000);

const GOLD = "XAU-USD-SPOT";
const residentMb = async ({ child }: Service): Promise<number> => {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+([0-9]+)/.exec(status)?.[1] ?? 0) / 1024);
};

describe.skipIf(!hasServers)("stream processes", { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } }, () => {
  let cluster: StreamCluster;
  const urls = (): string[] => cluster.streams.map(({ url }) => url);
  const followers: Follower[] = [];
  const crowd = async (count: number, more: Partial<ConstructorParameters<typeof Follower>[0]> = {}): Promise<Follower[]> => {
    const made = await follow(count, { urls: urls(), key: cluster.key, symbols: MOVING, ...more });
    followers.push(...made);
    return made;
  };
  const dismiss = (): void => {
    for (const follower of followers.splice(0)) follower.close();
  };
  const newest = async (): Promise<number> => {
    const [row] = await cluster.database.sql<
      { seq: number }[]
    >`select max(seq)::int as seq from ticks where instrument = ${GOLD}`;
    return row?.seq ?? 0;
  };

  beforeAll(async () => {
    const often = { rate_limit_per_minute: 1_000_000, monthly_quota: 1_000_000 };
    // Exactly as many as the crowd: after a kill no one is admitted before the dead process's places expire.
    cluster = await startStreamCluster({ realtime_pro: { ...often, max_concurrent_streams: MANY } }, 2);
  });
  afterEach(dismiss);
  afterAll(async () => {
    dismiss();
    await cluster?.close();
  });

  it(`continue from where a killed one stopped: kill -9 under ${MANY} clients that resume elsewhere`, async () => {
    const clients = await crowd(MANY);
    await untilSeq(clients, GOLD, (await newest()) + 1);
    // Its successor starts before it is killed, so that later tests have two processes even if this one fails.
    await cluster.startStream();
    const killedMs = performance.now();
    await cluster.streams.shift()?.stop("SIGKILL");
    // They know two addresses; one of them is gone.
    await eventually("all are told that it is gone", () => clients.every(({ seen }) => seen.closes.length > 0), Boolean);
    await untilFollowing(clients, 40_000);
    const backMs = Math.round(performance.now() - killedMs);
    await untilSeq(clients, GOLD, (await newest()) + 2);
    const sum = summary(clients);
    console.info("kill -9:", JSON.stringify({ ...sum, backMs }));
    expect(sum.faults).toEqual([]);
    expect(sum.gaps).toBe(0);
    expect(Object.keys(sum.closes)).toEqual(["1006"]);
  });

  it("count the streams of a key together, and free those of a killed process", async () => {
    const { plaintext: key } = await mintKey(cluster.settings, "pro", "counted");
    const open = async (url: string) => {
      const leaving = new AbortController();
      const { status } = await fetch(`${url}/v1/prices/stream?symbol=gold`, {
        headers: { "x-api-key": key },
        signal: leaving.signal,
      });
      return { status, leave: () => leaving.abort() };
    };
    const [one = "", other = ""] = urls();
    const opened = [await open(one), await open(other), await open(other)];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([(await open(one)).status, (await open(other)).status]).toEqual([429, 429]);
    opened[1]?.leave();
    await eventually(
      "the place is free again",
      async () => (await open(one)).status,
      (status) => status === 200,
    );
    for (const { leave } of opened) leave();
  });

  it("hold their clients while the bus is gone for ten seconds, and send them everything afterwards", async () => {
    const clients = await crowd(100);
    // So that the heartbeat after fifteen seconds falls into the outage.
    await sleep(6_000);
    const from = await newest();
    await cluster.redisWire.cut();
    await sleep(10_000);
    await eventually(
      "all have a heartbeat while the bus is gone",
      () => clients.every(({ seen }) => seen.heartbeats > 0),
      Boolean,
    );
    const missed = await newest();
    const heard = Math.max(...clients.map(({ at }) => at.get(GOLD) ?? 0));
    await cluster.redisWire.recover();
    const backMs = performance.now();
    await untilSeq(clients, GOLD, missed + 1, 30_000);
    const sum = summary(clients);
    console.info(
      "bus gone for 10 s:",
      JSON.stringify({
        ...sum,
        published: missed - from,
        heard: heard - from,
        backAfterMs: Math.round(performance.now() - backMs),
      }),
    );
    expect(missed - heard).toBeGreaterThan(5);
    expect(sum.faults).toEqual([]);
    expect(sum.closes).toEqual({});
    expect(sum.gaps).toBe(0);
  });

  it("continue when Redis loses its data", async () => {
    const clients = await crowd(20);
    await cluster.redis.loseAll();
    await untilSeq(clients, GOLD, (await newest()) + 3, 30_000);
    const sum = summary(clients);
    console.info("Redis lost its data:", JSON.stringify(sum));
    expect({ faults: sum.faults, closes: sum.closes }).toEqual({ faults: [], closes: {} });
  });

  it("close the streams of a revoked key within five seconds on every process, with or without an event", async () => {
    const announced = await mintKey(cluster.settings, "realtime_pro", "announced");
    const silent = await mintKey(cluster.settings, "realtime_pro", "silent");
    const on = (key: string) => urls().map((url) => new Follower({ urls: [url], key, symbols: [GOLD] }));
    const clients = { announced: on(announced.plaintext), silent: on(silent.plaintext) };
    followers.push(...clients.announced, ...clients.silent);
    await untilFollowing([...clients.announced, ...clients.silent]);
    const isClosed = (of: readonly Follower[]) =>
      eventually("closed", () => of.every(({ seen }) => seen.closes.includes(4401)), Boolean, { withinMs: 5_000, everyMs: 20 });
    const revokedMs = performance.now();
    await runEntry(KEYS, cluster.settings, ["revoke", announced.id]);
    await isClosed(clients.announced);
    const announcedMs = Math.round(performance.now() - revokedMs);
    const silentMs = performance.now();
    await cluster.database.sql`update api_keys set revoked_at = now() where id = ${silent.id}`;
    await isClosed(clients.silent);
    console.info("key revoked:", JSON.stringify({ announcedMs, silentMs: Math.round(performance.now() - silentMs) }));
  });

  it(`drop readers that stall, trickle or are cut off, and keep ${MANY - 40} others complete through a proxy that cuts idle lines`, async () => {
    const [stream] = cluster.streams;
    if (!stream) throw new Error("there is a stream process");
    const before = await residentMb(stream);
    const fast = await crowd(MANY - 40, { urls: [stream.url] });
    const withFast = await residentMb(stream);
    const wire = await openWire(stream.url, 80);
    const proxy = await openIdleProxy(stream.url, 20_000);
    const quiet = new Follower({ urls: [proxy.url], key: cluster.key, symbols: [], channels: ["physical:AE"] });
    const halfOpen = Array.from(
      { length: 5 },
      () => new Follower({ urls: [new URL(wire.url).origin], key: cluster.key, symbols: MOVING, reconnectMs: 120_000 }),
    );
    followers.push(quiet, ...halfOpen);
    await untilFollowing([quiet, ...halfOpen]);
    const bad = await Promise.all(Array.from({ length: 10 }, () => openStalled(stream.url, cluster.key, MOVING)));
    for (const socket of bad.slice(5)) sip(socket);
    wire.stall();
    const startMs = performance.now();
    const count = async () => {
      const client = await fetch(`${stream.url}/v1/health`);
      await client.text();
      return stream
        .stderr()
        .split("\n")
        .filter((text) => text.includes('"reason":"terminated"')).length;
    };
    const dropped = await eventually("the silent are dropped", count, (gone) => gone >= 15, { withinMs: 45_000, everyMs: 500 });
    const droppedMs = Math.round(performance.now() - startMs);
    // Long enough for the idle proxy to close a connection that is silent for twenty seconds.
    await sleep(Math.max(0, 42_000 - droppedMs));
    await untilSeq(fast, GOLD, (await newest()) + 1);
    const after = await residentMb(stream);
    const sum = summary(fast);
    console.info(
      "bad readers:",
      JSON.stringify({ ...sum, dropped, droppedMs, residentMb: { before, withFast, after }, idleCuts: proxy.cuts() }),
    );
    expect({ faults: sum.faults, gaps: sum.gaps, closes: sum.closes }).toEqual({ faults: [], gaps: 0, closes: {} });
    expect(sum.heartbeats).toBeGreaterThan(fast.length);
    expect({ cuts: proxy.cuts(), closes: quiet.seen.closes }).toEqual({ cuts: 0, closes: [] });
    expect(after - withFast).toBeLessThan(100);
    for (const socket of bad) socket.destroy();
    proxy.close();
    await wire.close();
  });

  it(`survive a burst of ${BURST} connects, garbage among them, while ${20} clients follow`, async () => {
    const [stream] = cluster.streams;
    if (!stream) throw new Error("there is a stream process");
    const steady = await crowd(20, { urls: [stream.url] });
    const url = `${stream.url.replace("http", "ws")}/v1/stream`;
    const startMs = performance.now();
    const outcomes = new Map<string, number>();
    const note = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const GARBAGE = ["{", "\u0000", "x".repeat(5_000), '{"action":"auth"}', Buffer.alloc(64, 0xff)];
    await Promise.all(
      Array.from({ length: BURST }, async (_, at) => {
        const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: 60_000 });
        socket.on("error", () => undefined);
        const closed = new Promise<number>((resolve) => socket.on("close", resolve));
        socket.on("open", () => {
          const garbage = GARBAGE[at % GARBAGE.length];
          if (at % 2 === 0 && garbage !== undefined) socket.send(garbage);
          else socket.close(1000);
        });
        note(String(await closed));
      }),
    );
    const ms = Math.round(performance.now() - startMs);
    await untilSeq(steady, GOLD, (await newest()) + 2);
    const sum = summary(steady);
    console.info(
      "burst:",
      JSON.stringify({
        connects: BURST,
        ms,
        outcomes: Object.fromEntries(outcomes),
        steady: sum,
        residentMb: await residentMb(stream),
      }),
    );
    expect({ faults: sum.faults, closes: sum.closes }).toEqual({ faults: [], closes: {} });
    expect(Object.fromEntries(outcomes)).toEqual({ 1000: BURST / 2, 4400: expect.any(Number), 4401: expect.any(Number) });
  });
});
