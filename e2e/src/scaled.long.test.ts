/** Several processes as one service, on PostgreSQL and Redis: the same ticks, one leader, shared limits. */
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilMinutes } from "./harness/bars.ts";
import { ask, read, readStatus, untilStatus } from "./harness/call.ts";
import { type Cluster, holdTicks, LEASE_TTL_MS, publishedTicks, startCluster } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { hasServers, sayWhySkipped } from "./harness/servers.ts";
import { mintKey } from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });
sayWhySkipped("many processes on PostgreSQL and Redis");

const OFTEN = 1_000_000;
const QUOTA = 50;
const PER_MINUTE = 60;
const WRITERS = ["writer-one", "writer-two"] as const;
const idOf = (name: string): string => hash("sha256", name).slice(0, 12);

describe.skipIf(!hasServers)(
  "two writers and two APIs on PostgreSQL and Redis",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set" } },
  () => {
    let cluster: Cluster;
    let key: string;
    const urls = (): [string, string] => [cluster.apis[0].url, cluster.apis[1].url];
    const spotOf = (url: string) => read(url, contract.spot.get, { symbol: "gold", include: "sources" }, { key });
    /** The leader by its name: callers see an opaque id of it. */
    const leader = async (): Promise<string | undefined> => {
      const { lease_owner: owner } = (await readStatus(urls()[1])).checks.live_writer;
      return WRITERS.find((name) => idOf(name) === owner);
    };
    const both = <T>(probe: (url: string) => Promise<T>): Promise<T[]> => Promise.all(urls().map(probe));

    beforeAll(async () => {
      const often = { rate_limit_per_minute: OFTEN, monthly_quota: OFTEN };
      const tiers = {
        free: { rate_limit_per_minute: OFTEN, monthly_quota: QUOTA },
        basic: { rate_limit_per_minute: PER_MINUTE, monthly_quota: OFTEN },
        pro: often,
        keyless: { per_minute: 10, per_hour: 100 },
      };
      cluster = await startCluster({ SIM_SEED: "7" }, tiers, ["writer-one"]);
      key = (await mintKey(cluster.settings, "pro")).plaintext;
      await untilStatus(urls()[0], "the first writer leads and all is well", ({ status }) => status === "ok", {
        withinMs: 120_000,
      });
      await cluster.startWriter("writer-two");
    });
    afterAll(() => cluster?.close());

    it("is healthy on both APIs, and the first writer leads while the second stands by", async () => {
      for (const { status, checks, reasons } of await both(readStatus)) {
        expect({ status, reasons }).toEqual({ status: "ok", reasons: [] });
        expect(checks.live_writer).toMatchObject({ ok: true, lease_owner: idOf("writer-one") });
      }
    });

    it("answers the same tick from both APIs", async () => {
      const seen = [new Map<string, string>(), new Map<string, string>()] as const;
      for (let look = 0; look < 40; look += 1) {
        const rows = await both(spotOf);
        rows.forEach(({ computed_at, price, sources }, index) => {
          seen[index]?.set(computed_at ?? "", JSON.stringify({ price, sources }));
        });
        await sleep(100);
      }
      const shared = [...seen[0].keys()].filter((computedAt) => seen[1].has(computedAt));
      expect(shared.length).toBeGreaterThanOrEqual(3);
      for (const computedAt of shared) expect(seen[1].get(computedAt)).toBe(seen[0].get(computedAt));
      // And their answers are what was stored.
      for (const computedAt of shared) {
        const [row] = await cluster.database.sql<{ price: string }[]>`
        select payload->>'price' as price from ticks where instrument = 'XAU-USD-SPOT' and computed_at = ${computedAt}::timestamptz`;
        expect(Number(JSON.parse(seen[0].get(computedAt) ?? "{}").price)).toBeCloseTo(Number(row?.price), 2);
      }
    });

    it("counts a quota exactly over both APIs: of 200 concurrent calls exactly as many pass as it allows", async () => {
      const { plaintext } = await mintKey(cluster.settings, "free");
      const calls = Array.from({ length: 200 }, (_, index) => ask(urls()[index % 2] ?? "", "/v1/spot/gold", { key: plaintext }));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(QUOTA);
      expect(statuses.filter((status) => status === 429)).toHaveLength(200 - QUOTA);
      for (const usage of await both((url) => read(url, contract.account.usage, {}, { key: plaintext }))) {
        expect(usage).toMatchObject({ calls_this_month: QUOTA, calls_today: QUOTA, remaining_this_month: 0 });
        // Counted in Redis or stored already: in today's calls either way.
        expect(usage.days?.reduce((sum, { calls }) => sum + calls, 0)).toBe(QUOTA);
        expect(usage.days?.at(-1)?.calls).toBe(QUOTA);
      }
      await eventually(
        "the calls are settled in the store, each once",
        () => cluster.database.sql<{ calls: string }[]>`
        select calls::text as calls from usage_daily join organisations on organisations.id = org_id where name = 'e2e free'`,
        ([row]) => row?.calls === String(QUOTA),
      );
    });

    it("has a new leader within two lease times when the leader is killed; no second and no number is lost or doubled", async () => {
      const before = await leader();
      expect(before).toBe("writer-one");
      await cluster.writers.get("writer-one")?.stop("SIGKILL");
      const killedMs = performance.now();
      await eventually("the standby holds the lease", leader, (owner) => owner === "writer-two", {
        withinMs: 2 * LEASE_TTL_MS + 1_000,
        everyMs: 50,
      });
      const tookMs = performance.now() - killedMs;
      console.info(`the standby held the lease ${Math.round(tookMs)} ms after the kill (lease time ${LEASE_TTL_MS} ms)`);
      const killedAt = Date.now();
      await eventually(
        "both APIs answer ticks of the new leader",
        () => both(spotOf),
        (rows) => rows.every(({ computed_at }) => Date.parse(computed_at ?? "") > killedAt),
        { withinMs: 20_000 },
      );
      await untilStatus(urls()[0], "all is well again", ({ status }) => status === "ok");
      await holdTicks(cluster);
      await untilMinutes(urls(), key);
      expect(tookMs).toBeLessThan(2 * LEASE_TTL_MS + 500);
    });

    it("refuses what a frozen leader writes when it wakes after another took over, and makes it a standby", async () => {
      await cluster.startWriter("writer-one");
      expect(await leader()).toBe("writer-two");
      const frozen = cluster.writers.get("writer-two");
      frozen?.child.kill("SIGSTOP");
      await eventually("the standby leads", leader, (owner) => owner === "writer-one", { withinMs: 3 * LEASE_TTL_MS });
      await sleep(2 * LEASE_TTL_MS);
      const tokenBefore = Math.max(...(await publishedTicks(cluster)).map(({ token }) => token));
      frozen?.child.kill("SIGCONT");
      await sleep(2 * LEASE_TTL_MS);
      expect(frozen?.child.exitCode).toBeNull();
      expect(await leader()).toBe("writer-one");
      // Since the takeover everything published or stored is the new leader's.
      expect(Math.max(...(await publishedTicks(cluster)).map(({ token }) => token))).toBe(tokenBefore);
      await holdTicks(cluster);
      await untilMinutes(urls(), key);
      expect(frozen?.stderr()).toMatch(/→ lost/);
    });

    it("hands over at once when the leader is stopped", async () => {
      const writer = cluster.writers.get("writer-one");
      expect(await leader()).toBe("writer-one");
      expect(await writer?.stop("SIGTERM")).toEqual({ code: 0, signal: null });
      await eventually("the other leads", leader, (owner) => owner === "writer-two", { withinMs: LEASE_TTL_MS });
      await eventually(
        "ticks go on",
        async () => (await publishedTicks(cluster)).at(-1)?.computedAtMs ?? 0,
        (ms) => ms > Date.now() - 1_500,
      );
      await holdTicks(cluster);
    });

    it("gives every API the bars of a time without a writer", async () => {
      await untilMinutes(urls(), key);
      await cluster.writers.get("writer-two")?.stop("SIGKILL");
      await untilStatus(
        urls()[0],
        "the status says that no writer leads",
        ({ status, reasons }) => status === "degraded" && reasons.includes("No writer holds the lease."),
      );
      for (const answer of await both((url) => ask(url, "/v1/spot/gold", { key }))) expect(answer.status).toBe(200);
      // A minute ends unobserved.
      await sleep(60_000 - (Date.now() % 60_000) + 1_000);
      await cluster.startWriter("writer-three");
      await untilStatus(urls()[1], "all is well again", ({ status }) => status === "ok", { withinMs: 30_000 });
      await holdTicks(cluster);
      await untilMinutes(urls(), key);
    });
  },
);
