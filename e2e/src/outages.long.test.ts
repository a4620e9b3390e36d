/** PostgreSQL or Redis unavailable: what continues, what is refused and how, and that everything recovers by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { contract, DAY_MS, type SpotRow } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { minuteFaults, untilMinutes } from "./harness/bars.ts";
import { ask, read, readStatus, untilStatus } from "./harness/call.ts";
import { type Cluster, holdTicks, LEASE_TTL_MS, startCluster } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { mintKey } from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });
sayWhySkipped("outages of PostgreSQL and Redis");

const OFTEN = 1_000_000;
/** Longer than a lease, so that the leader loses it and starts over. */
const LONG_MS = LEASE_TTL_MS + 1_500;
/** A caller does not wait for an unavailable engine: its deadline plus a margin for a busy machine. */
const SOON_MS = 6_000;
const dayFromToday = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** Bars of weeks, for which nobody has asked before the outage. */
const UNREAD_SERIES = `/v1/bars?symbol=SI&interval=2h&from=${dayFromToday(-20)}&to=${dayFromToday(1)}`;

describe.skipIf(!hasServers)("an outage", { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } }, () => {
  let cluster: Cluster;
  let key: string;
  const urls = (): [string, string] => [cluster.apis[0].url, cluster.apis[1].url];
  const both = <T>(probe: (url: string) => Promise<T>): Promise<T[]> => Promise.all(urls().map(probe));
  const spotOf = (url: string): Promise<SpotRow> => read(url, contract.spot.get, { symbol: "gold" }, { key });
  const untilWell = (what: string, withinMs = 40_000) =>
    Promise.all(urls().map((url) => untilStatus(url, `${what}: all is well`, ({ status }) => status === "ok", { withinMs })));

  /** The duration of a call, and its answer. */
  const timed = async (url: string, path: string, asking: Parameters<typeof ask>[2] = {}) => {
    const startMs = performance.now();
    const answer = await ask(url, path, asking);
    return { ...answer, tookMs: performance.now() - startMs };
  };

  const untilTicksFlow = (sinceMs: number) =>
    eventually(
      "both APIs answer new ticks",
      () => both(spotOf),
      (rows) => rows.every(({ computed_at }) => Date.parse(computed_at ?? "") > sinceMs),
      { withinMs: 30_000 },
    );

  beforeAll(async () => {
    const often = { rate_limit_per_minute: OFTEN, monthly_quota: OFTEN };
    cluster = await startCluster({ LOG_LEVEL: "error" }, { pro: often, free: often }, ["writer-one"]);
    key = (await mintKey(cluster.settings, "pro")).plaintext;
    await untilWell("the start", 120_000);
    // From here on both APIs have loaded the minutes of gold.
    await untilMinutes(urls(), key);
  });
  afterAll(() => cluster?.close());

  describe("of Redis", () => {
    let free: string;
    let sinceMs: number;

    it("leaves spot answering from memory, and the status says what is wrong", async () => {
      free = (await mintKey(cluster.settings, "free", "Counted Ltd")).plaintext;
      for (let call = 0; call < 10; call += 1)
        expect((await ask(urls()[call % 2] ?? "", "/v1/spot/gold", { key: free })).status).toBe(200);
      await cluster.redisWire.cut();
      sinceMs = Date.now();
      for (const url of urls()) {
        const { status, tookMs, json } = await timed(url, "/v1/spot/gold", { key });
        expect(status).toBe(200);
        expect(tookMs).toBeLessThan(SOON_MS);
        expect(json).toMatchObject({ symbol: "XAU", price: expect.stringMatching(/^[0-9]+\.[0-9]{2}$/) });
        const { status: overall, reasons, checks } = await readStatus(url);
        expect(overall).toBe("degraded");
        expect(checks.cache.ok).toBe(false);
        expect(reasons).toContainEqual(expect.stringMatching(/^cache_unavailable: /));
        expect((await ask(url, "/v1/health")).status).toBe(200);
        expect(await minuteFaults(url, key)).toEqual([]);
      }
    });

    it("leaves limits in force, each process counting for itself", async () => {
      for (const url of urls()) {
        const calls = Array.from({ length: 25 }, () => ask(url, "/v1/spot/gold", { from: "203.0.113.77" }));
        const statuses = (await Promise.all(calls)).map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(10);
        expect(statuses.filter((status) => status === 429)).toHaveLength(15);
      }
    });

    it("recovers by itself, and every call made meanwhile is counted once", async () => {
      for (let call = 0; call < 9; call += 1)
        expect((await ask(urls()[call % 3 === 0 ? 0 : 1] ?? "", "/v1/spot/gold", { key: free })).status).toBe(200);
      await sleep(LONG_MS);
      await cluster.redisWire.recover();
      await untilWell("Redis back");
      await untilTicksFlow(sinceMs);
      await eventually(
        "both APIs tell all nineteen calls",
        () => both((url) => read(url, contract.account.usage, {}, { key: free })),
        (usages) => usages.every(({ calls_this_month }) => calls_this_month === 19),
      );
      await eventually(
        "the store has them",
        () => cluster.database.sql<{ calls: string }[]>`
          select calls::text as calls from usage_daily join organisations on organisations.id = org_id where name = 'Counted Ltd'`,
        ([row]) => row?.calls === "19",
      );
      await holdTicks(cluster);
      await untilMinutes(urls(), key);
    });

    it("that hangs instead of refusing keeps no one waiting", async () => {
      cluster.redisWire.stall();
      sinceMs = Date.now();
      for (const url of urls()) {
        const { status, tookMs } = await timed(url, "/v1/spot/gold", { key });
        expect(status).toBe(200);
        expect(tookMs).toBeLessThan(SOON_MS);
        expect((await readStatus(url)).status).toBe("degraded");
      }
      await sleep(LONG_MS);
      await cluster.redisWire.recover();
      await untilWell("Redis awake");
      await untilTicksFlow(sinceMs);
      await holdTicks(cluster);
    });
  });

  describe("in which Redis loses its data", () => {
    it("recovers by itself: a newer term begins, and the settled counts are loaded again", async () => {
      const counted = (await mintKey(cluster.settings, "free", "Remembered Ltd")).plaintext;
      for (let call = 0; call < 12; call += 1) await ask(urls()[call % 2] ?? "", "/v1/spot/gold", { key: counted });
      await eventually(
        "the store has the calls",
        () => cluster.database.sql<{ calls: string }[]>`
          select calls::text as calls from usage_daily join organisations on organisations.id = org_id where name = 'Remembered Ltd'`,
        ([row]) => row?.calls === "12",
      );
      const before = (await readStatus(urls()[0])).checks.live_writer.fencing_token ?? 0;
      const sinceMs = Date.now();
      await cluster.redis.loseAll();
      for (const row of await both(spotOf)) expect(row.price).toBeDefined();
      await untilWell("Redis empty");
      await untilTicksFlow(sinceMs);
      const after = (await readStatus(urls()[0])).checks.live_writer.fencing_token ?? 0;
      expect(after).toBeGreaterThan(before);
      for (let call = 0; call < 4; call += 1) await ask(urls()[call % 2] ?? "", "/v1/spot/gold", { key: counted });
      await eventually(
        "both APIs tell all sixteen calls",
        () => both((url) => read(url, contract.account.usage, {}, { key: counted })),
        (usages) => usages.every(({ calls_this_month }) => calls_this_month === 16),
      );
      await holdTicks(cluster);
      await untilMinutes(urls(), key);
    });
  });

  describe("of PostgreSQL", () => {
    let unseen: string;
    let sinceMs: number;

    it("leaves spot and the loaded bars answering, for keys used in the last minute", async () => {
      unseen = (await mintKey(cluster.settings, "pro", "Unseen Ltd")).plaintext;
      for (const row of await both(spotOf)) expect(row.price).toBeDefined();
      await untilMinutes(urls(), key);
      await cluster.postgresWire.cut();
      sinceMs = Date.now();
      for (const url of urls()) {
        const spot = await timed(url, "/v1/spot/gold", { key });
        expect(spot.status).toBe(200);
        expect(spot.tookMs).toBeLessThan(SOON_MS);
        expect(await minuteFaults(url, key)).toEqual([]);
        expect((await ask(url, "/v1/spot/gold", { from: "203.0.113.78" })).status).toBe(200);
      }
    });

    it("refuses series not loaded yet with 503, saying when to retry", async () => {
      for (const url of urls()) {
        const { status, json, headers, tookMs } = await timed(url, UNREAD_SERIES, { key });
        expect(status).toBe(503);
        expect(json).toMatchObject({ error: "service_unavailable" });
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        expect(tookMs).toBeLessThan(SOON_MS);
      }
    });

    it("refuses keys it has not seen with 503, and malformed ones with 401", async () => {
      for (const url of urls()) {
        const { status, json, headers } = await timed(url, "/v1/spot/gold", { key: unseen });
        expect(status).toBe(503);
        expect(json).toMatchObject({ error: "auth_unavailable" });
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        expect((await ask(url, "/v1/spot/gold", { key: "assay_live_nonsense" })).status).toBe(401);
      }
    });

    it("shows in the status", async () => {
      for (const url of urls()) {
        const { status, reasons } = await readStatus(url);
        expect(status).toBe("degraded");
        expect(reasons).toContainEqual(expect.stringMatching(/^database_unavailable: /));
      }
    });

    it("recovers by itself: refused requests succeed, and no second or minute is missing", async () => {
      await sleep(LONG_MS);
      await cluster.postgresWire.recover();
      await untilWell("PostgreSQL back");
      await untilTicksFlow(sinceMs);
      for (const url of urls()) {
        expect((await ask(url, "/v1/spot/gold", { key: unseen })).status).toBe(200);
        expect((await ask(url, UNREAD_SERIES, { key })).status).toBe(200);
      }
      await holdTicks(cluster);
      await untilMinutes(urls(), key);
    });
  });

  it("of both at once leaves every process alive, and recovers by itself", async () => {
    await Promise.all([cluster.redisWire.cut(), cluster.postgresWire.cut()]);
    const sinceMs = Date.now();
    for (const url of urls()) {
      expect((await timed(url, "/v1/spot/gold", { key })).status).toBe(200);
      expect((await readStatus(url)).status).toBe("degraded");
    }
    await sleep(LONG_MS);
    // In this order: what the bus missed cannot be loaded yet when the loss is noticed.
    await cluster.redisWire.recover();
    await sleep(2_000);
    await cluster.postgresWire.recover();
    await untilWell("both back");
    await untilTicksFlow(sinceMs);
    await holdTicks(cluster);
    await untilMinutes(urls(), key);
    for (const process of [...cluster.apis, ...cluster.writers.values()]) expect(process.child.exitCode).toBeNull();
  });
});
