/**
 * What 200 callers at once get through two API and two stream processes: limits, quota, places and revocation, with Redis well,
 * slow, away, restarted empty, and failed over to a replica. Exact figures with Redis, bounds without it: the table in
 * docs/operate/recover.md, "While Redis is away".
 */
import { contract, type KeyMintResponse, type TierName } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, read, untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type FailureCluster, startFailureCluster } from "./harness/failure-cluster.ts";
import { missingServers, startOwnRedis } from "./harness/own-servers.ts";
import { KEYS, mintKey, runEntry } from "./harness/service.ts";
import { openPlaces } from "./harness/stream-readers.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 });

const missing = missingServers();
if (missing.length > 0) console.info(`exactness: skipped, because ${missing.join(", ")} is not installed`);

const CALLERS = 200;
const PROCESSES = 2;
const QUOTA = 40;
const PER_MINUTE = 50;
const PLACES = 10;
const OFTEN = { rate_limit_per_minute: 10_000_000, monthly_quota: 100_000_000 };
/** Slow, and still an answer. */
const SLOW_MS = 700;

describe.skipIf(missing.length > 0)("200 callers at once", { meta: { needs: "PostgreSQL's and Redis's programs" } }, () => {
  let cluster: FailureCluster;
  /** Spent with Redis well, and never admitted again. */
  let spent: KeyMintResponse;
  let organisations = 0;
  const table: string[] = [];
  const apis = (): string[] => cluster.apis.map(({ service }) => service.url);
  const streams = (): string[] => cluster.streams.map(({ service }) => service.url);
  const mint = (tier: TierName): Promise<KeyMintResponse> => {
    organisations += 1;
    return mintKey(cluster.settings, tier, `Exact ${organisations} Ltd`);
  };

  const admitted = async ({ plaintext }: KeyMintResponse): Promise<number> => {
    const calls = Array.from({ length: CALLERS }, (_, at) => ask(apis()[at % 2] ?? "", "/v1/spot/gold", { key: plaintext }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect([...new Set(statuses)].filter((status) => status !== 200 && status !== 429)).toEqual([]);
    return statuses.filter((status) => status === 200).length;
  };

  const revocationHolds = async (): Promise<void> => {
    const { id, plaintext } = await mint("pro");
    const statuses = () => Promise.all(apis().map(async (url) => (await ask(url, "/v1/spot/gold", { key: plaintext })).status));
    expect(await statuses()).toEqual([200, 200]);
    // Without Redis the command cannot tell the processes, and says so; they ask the database.
    await runEntry(KEYS, cluster.settings, ["revoke", id]);
    await eventually("both refuse it", statuses, (each) => each.every((status) => status === 401), { withinMs: 6_000 });
  };

  interface Counted {
    readonly quota: number;
    readonly minute: number;
    readonly places: number;
  }

  /** One state of Redis. */
  const count = async (state: string): Promise<Counted & { readonly free: KeyMintResponse }> => {
    const [free, basic, realtime] = [await mint("free"), await mint("basic"), await mint("realtime_pro")];
    // A process that has never seen the key asks the database; that is not what is counted here.
    const quota = await admitted(free);
    const minute = await admitted(basic);
    const opened = await openPlaces(streams(), realtime.plaintext, CALLERS);
    const places = opened.open;
    await opened.close();
    await revocationHolds();
    table.push(`${state}: ${quota} of a quota of ${QUOTA}, ${minute} of ${PER_MINUTE} a minute, ${places} of ${PLACES} streams`);
    return { quota, minute, places, free };
  };

  const untilWell = async (): Promise<void> => {
    for (const url of apis()) await untilStatus(url, "all is well", ({ status }) => status === "ok", { withinMs: 90_000 });
  };
  const untilAway = async (): Promise<void> => {
    for (const url of apis())
      await untilStatus(url, "the status names the outage", ({ reasons }) =>
        reasons.some((each) => each.startsWith("cache_unavailable: ")),
      );
  };
  const exact = { quota: QUOTA, minute: PER_MINUTE, places: PLACES };

  beforeAll(async () => {
    cluster = await startFailureCluster({
      free: { ...OFTEN, monthly_quota: QUOTA },
      basic: { ...OFTEN, rate_limit_per_minute: PER_MINUTE },
      pro: OFTEN,
      realtime_pro: { ...OFTEN, max_concurrent_streams: PLACES },
    });
    await untilWell();
  });
  afterAll(async () => {
    console.info(`admitted of ${CALLERS} callers at once, through two processes:\n${table.join("\n")}`);
    await cluster?.close();
  });

  it("are counted exactly with Redis", async () => {
    const { free, ...counted } = await count("Redis well");
    spent = free;
    expect(counted).toEqual(exact);
  });

  it("are counted exactly with a Redis that is slow", async () => {
    cluster.redisWire.delay(SLOW_MS);
    try {
      const { free: _, ...counted } = await count(`Redis ${SLOW_MS} ms an answer`);
      expect(counted).toEqual(exact);
    } finally {
      await cluster.redisWire.recover();
    }
    await untilWell();
  });

  it("are counted exactly while Redis forgets the scripts and is reloaded", async () => {
    const free = await mint("free");
    const disturb = async (): Promise<void> => {
      for (const command of [
        ["SCRIPT", "FLUSH"],
        ["DEBUG", "RELOAD"],
        ["SCRIPT", "FLUSH"],
      ])
        await cluster.redisServer.command(...command);
    };
    const [quota] = await Promise.all([admitted(free), disturb()]);
    table.push(`Redis reloaded meanwhile: ${quota} of a quota of ${QUOTA}`);
    expect(quota).toBe(QUOTA);
  });

  it("get at most one quota from each process when Redis is killed meanwhile, and none afterwards", async () => {
    const free = await mint("free");
    const [quota] = await Promise.all([admitted(free), cluster.redisServer.kill()]);
    table.push(`Redis killed meanwhile: ${quota} of a quota of ${QUOTA}`);
    expect(quota).toBeGreaterThanOrEqual(QUOTA);
    expect(quota).toBeLessThanOrEqual(PROCESSES * QUOTA);
    await cluster.redisServer.start();
    await untilWell();
    expect(await admitted(free)).toBe(0);
    expect(await admitted(spent)).toBe(0);
  });

  it("get at most one limit from each process without Redis, and afterwards every call is counted once", async () => {
    await cluster.redisServer.kill();
    await untilAway();
    const { free, ...counted } = await count("Redis away");
    for (const [name, limit] of Object.entries(exact)) {
      const figure = counted[name as keyof Counted]; // of the same keys
      expect(figure, name).toBeGreaterThanOrEqual(limit);
      expect(figure, name).toBeLessThanOrEqual(PROCESSES * limit);
    }
    // Both processes have seen it spent.
    expect(await admitted(spent)).toBe(0);
    await cluster.redisServer.start();
    await untilWell();
    const usages = () => Promise.all(apis().map((url) => read(url, contract.account.usage, {}, { key: free.plaintext })));
    await eventually("every call is counted once", usages, (all) =>
      all.every(({ calls_this_month }) => calls_this_month === counted.quota),
    );
    expect(await admitted(free)).toBe(0);
  });

  it("are counted exactly after a restart without data, and a spent quota stays spent", async () => {
    expect(await admitted(spent)).toBe(0);
    const { free: _, ...counted } = await count("Redis restarted, empty");
    expect(counted).toEqual(exact);
  });

  it("are counted exactly after a failover to a replica, and a spent quota stays spent", async () => {
    const { hostname, port } = new URL(cluster.redisServer.url);
    const replica = await startOwnRedis("--replicaof", hostname, port);
    try {
      await eventually(
        "the replica follows",
        () => replica.command("INFO", "replication"),
        (info) => String(info).includes("master_link_status:up"),
      );
      await cluster.redisServer.kill();
      await replica.command("REPLICAOF", "NO", "ONE");
      cluster.redisWire.redirect(replica.url);
      await untilWell();
      expect(await admitted(spent)).toBe(0);
      const { free: _, ...counted } = await count("Redis failed over");
      expect(counted).toEqual(exact);
    } finally {
      await replica.remove();
    }
  });
});
