/**
 * The failure table: everything that goes wrong on several machines, and what clients see of it before, during and after. Two API,
 * two stream and two writer processes behind nginx as we configure it, on a PostgreSQL and a Redis of their own, under requests
 * and followers. After each failure everything recovers by itself: no number is published by two writers, no bar is lost.
 *
 * Elsewhere: feeds that answer garbage, hang or refuse in `feed-failures.long.test.ts`; ten thousand clients whose stream process
 * is killed in `thrown-off.long.test.ts`; a full disk in `full-disk.long.test.ts`; a leader that is killed or frozen in
 * `scaled.long.test.ts`; ten thousand connects at once in `stream-cluster.long.test.ts`.
 */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { contract } from "@assay/contract";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { untilMinutes } from "./harness/bars.ts";
import { ask, read, type Status, untilStatus } from "./harness/call.ts";
import { holdTicks } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { type FailureCluster, LEASE_MS, startFailureCluster } from "./harness/failure-cluster.ts";
import { ASKED, type Failure, FailureTable, Witness } from "./harness/failure-table.ts";
import { type Follower, follow, summary, untilFollowing, untilSeq } from "./harness/follower.ts";
import { missingServers, NGINX, startOwnRedis } from "./harness/own-servers.ts";
import { mintKey } from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });

const missing = missingServers();
if (missing.length > 0) console.info(`the failure table: skipped, because ${missing.join(", ")} is not installed`);
else if (NGINX === null)
  console.info("the failure table: without nginx, which is not installed; clients call the first API directly");

const OFTEN = { rate_limit_per_minute: 10_000_000, monthly_quota: 100_000_000 };
const QUOTA = 60;
const GOLD = "XAU-USD-SPOT";
const FOLLOWERS = 20;
/** A writer as callers see it. */
const idOf = (name: string): string => hash("sha256", name).slice(0, 12);
const FAKETIME = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

describe.skipIf(missing.length > 0)("the failure table", { meta: { needs: "PostgreSQL's and Redis's programs" } }, () => {
  let cluster: FailureCluster;
  let key: string;
  let witness: Witness;
  let followers: Follower[] = [];
  let table: FailureTable;
  const apis = (): string[] => cluster.apis.map(({ service }) => service.url);
  const newest = async (): Promise<number> => {
    const [row] = await cluster.database.sql<
      { seq: number }[]
    >`select max(seq)::int as seq from ticks where instrument = ${GOLD}`;
    return row?.seq ?? 0;
  };

  /** Everything is as before the failure. */
  const untilWell = async (): Promise<void> => {
    for (const url of apis()) await untilStatus(url, "all is well", ({ status }) => status === "ok", { withinMs: 90_000 });
    await untilFollowing(followers, 40_000);
    // A minute and more where a writer waits for its clock.
    await untilSeq(followers, GOLD, (await newest()) + 1, 90_000);
    await untilMinutes(apis(), key);
    await holdTicks(cluster);
    expect(summary(followers).faults).toEqual([]);
  };

  const row = (what: string, failure: Failure): Promise<void> => table.row(what, failure);

  const untilDegraded = () =>
    untilStatus(apis()[0] ?? "", "the status says so", ({ status }) => status === "degraded", { withinMs: 40_000 });

  beforeAll(async () => {
    const tiers = {
      pro: OFTEN,
      realtime_pro: { ...OFTEN, max_concurrent_streams: FOLLOWERS },
      free: { ...OFTEN, monthly_quota: QUOTA },
    };
    cluster = await startFailureCluster(tiers);
    key = (await mintKey(cluster.settings, "realtime_pro")).plaintext;
    for (const url of apis()) await untilStatus(url, "all is well", ({ status }) => status === "ok", { withinMs: 120_000 });
    await cluster.startWriter("writer-two");
    followers = await follow(FOLLOWERS, { urls: [cluster.streamUrl], key, symbols: [GOLD] });
    witness = new Witness(cluster.url, key, ASKED);
    table = new FailureTable({ witness, followers, untilWell });
  });
  afterAll(async () => {
    console.info(`what clients saw${NGINX === null ? "" : ", through nginx"}:\n${table}`);
    await witness?.stop();
    for (const follower of followers) follower.close();
    await cluster?.close();
  });

  it("Redis is killed and comes back empty", () =>
    row("Redis killed and back, empty", {
      fail: () => cluster.redisServer.kill(),
      until: untilDegraded,
      recover: () => cluster.redisServer.start(),
    }));

  it("Redis is full", () =>
    row("Redis full", {
      fail: () => cluster.redisServer.command("CONFIG", "SET", "maxmemory", "1"),
      until: untilDegraded,
      recover: () => cluster.redisServer.command("CONFIG", "SET", "maxmemory", "0"),
    }));

  it("PostgreSQL is killed and comes back", () =>
    row("PostgreSQL killed and back", {
      fail: () => cluster.postgres.kill(),
      until: untilDegraded,
      recover: () => cluster.postgres.start(),
      mayAnswer: ["200", "503"],
    }));

  it("PostgreSQL takes no more connections", async () => {
    const greedy: postgres.Sql[] = [];
    await row("PostgreSQL at its connection limit", {
      fail: async () => {
        for (let isFull = false; !isFull; ) {
          const sql = postgres(cluster.postgres.url, {
            max: 1,
            onnotice: () => undefined,
            connection: { application_name: "greedy" },
          });
          isFull = await sql`select 1`.then(
            () => false,
            () => true,
          );
          greedy.push(sql);
        }
        // What our processes still hold is closed as well: they must connect again, and cannot.
        const [held] = greedy;
        if (held) await held`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay'`;
      },
      recover: () => Promise.all(greedy.map((sql) => sql.end({ timeout: 1 }))),
      mayAnswer: ["200", "503"],
    });
  });

  it("PostgreSQL takes two seconds for every answer", () =>
    row("PostgreSQL slow, 2 s an answer", {
      fail: () => cluster.postgresWire.delay(2_000),
      // A series that no process has in memory: several reads, one after another, each of which may take a minute.
      until: async () => {
        for (const url of apis()) {
          const path = "/v1/bars?symbol=SI&interval=1d&from=1999-01-01&to=2010-01-01&limit=5000";
          expect([200, 503]).toContain((await ask(url, path, { key, withinMs: 90_000 })).status);
        }
      },
      recover: () => cluster.postgresWire.recover(),
      mayAnswer: ["200", "503"],
    }));

  it("the writer is cut off from PostgreSQL, while it still has Redis", () =>
    row("the leading writer cut off from PostgreSQL: the standby takes over", {
      fail: async () => {
        // Whoever led so far, the first writer does from here on: the other is restarted.
        await cluster.writers.get("writer-two")?.stop("SIGTERM");
        const led = ({ checks }: Status): boolean => checks.live_writer.lease_owner === idOf("writer-one");
        await untilStatus(apis()[0] ?? "", "the first writer leads", led, { withinMs: 30_000 });
        await cluster.startWriter("writer-two");
        await cluster.writerWire.cut();
      },
      until: () =>
        untilStatus(apis()[0] ?? "", "the standby leads", ({ checks }) => checks.live_writer.lease_owner === idOf("writer-two"), {
          withinMs: 60_000,
        }),
      recover: () => cluster.writerWire.recover(),
    }));

  it("an API process is killed under load", async () => {
    if (NGINX === null) return console.info("an API killed: skipped, because nginx is not installed");
    const [, victim] = cluster.apis;
    await row("one API process killed under load", {
      fail: () => victim.service.stop("SIGKILL"),
      recover: () => victim.restart(),
    });
  });

  it("both API processes are restarted in turn under load", async () => {
    if (NGINX === null) return console.info("a rolling restart: skipped, because nginx is not installed");
    await row("rolling restart of the API under load", {
      fail: async () => {
        for (const member of cluster.apis) {
          expect(await member.service.stop("SIGTERM")).toEqual({ code: 0, signal: null });
          await member.restart();
        }
      },
      recover: () => undefined,
    });
  });

  it("a stream process is killed, and its followers resume at the other", async () => {
    const [victim] = cluster.streams;
    await row("one stream process killed", {
      fail: () => victim.service.stop("SIGKILL"),
      recover: () => victim.restart(),
    });
    expect(summary(followers).gaps).toBe(0);
  });

  it("a writer whose clock is a minute ahead takes over, and hands back to one that is right", async () => {
    if (FAKETIME === undefined) return console.info("clocks a minute apart: skipped, because libfaketime is not installed");
    await cluster.writers.get("writer-two")?.stop("SIGTERM");
    await cluster.startWriter("writer-ahead", {
      LD_PRELOAD: FAKETIME,
      FAKETIME: "+60s",
      DONT_FAKE_MONOTONIC: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    });
    await row("a standby whose clock is a minute ahead takes over", {
      fail: async () => {
        await cluster.writers.get("writer-one")?.stop("SIGKILL");
        const led = ({ checks }: Status): boolean => checks.live_writer.lease_owner === idOf("writer-ahead");
        await untilStatus(apis()[0] ?? "", "the other leads", led, {
          withinMs: 2 * LEASE_MS + 20_000,
        });
      },
      recover: () => undefined,
    });
    await cluster.startWriter("writer-three");
    await row("and hands back to one whose clock is right", {
      fail: () => cluster.writers.get("writer-ahead")?.stop("SIGTERM"),
      recover: () => undefined,
    });
  });

  it("Redis is demoted to a replica, and its address leads to the new one: every process connects again by itself", async () => {
    const { hostname, port } = new URL(cluster.redisServer.url);
    const other = await startOwnRedis("--replicaof", hostname, port);
    const follows = (server: typeof other) =>
      eventually(
        "the replica follows",
        () => server.command("INFO", "replication"),
        (info) => String(info).includes("master_link_status:up"),
      );
    try {
      await follows(other);
      await row("Redis demoted behind its address", {
        fail: async () => {
          await other.command("REPLICAOF", "NO", "ONE");
          cluster.redisWire.point(other.url);
          await cluster.redisServer.command("REPLICAOF", "127.0.0.1", new URL(other.url).port);
          await follows(cluster.redisServer);
        },
        recover: () => undefined,
      });
    } finally {
      await cluster.redisServer.command("REPLICAOF", "NO", "ONE");
      cluster.redisWire.redirect(cluster.redisServer.url);
      await other.remove();
    }
    await untilWell();
  });

  it("Redis fails over to a replica: quota and counts stay exact, also of 200 calls at once through two processes", async () => {
    const counted = (await mintKey(cluster.settings, "free", "Counted Ltd")).plaintext;
    const call = (at: number) => ask(apis()[at % 2] ?? "", "/v1/spot/gold", { key: counted });
    for (let at = 0; at < 20; at += 1) expect((await call(at)).status).toBe(200);
    const { hostname, port } = new URL(cluster.redisServer.url);
    const replica = await startOwnRedis("--replicaof", hostname, port);
    try {
      await eventually(
        "the replica follows",
        () => replica.command("INFO", "replication"),
        (info) => String(info).includes("master_link_status:up"),
      );
      await row("Redis fails over to a replica", {
        fail: async () => {
          await cluster.redisServer.kill();
          await replica.command("REPLICAOF", "NO", "ONE");
          cluster.redisWire.redirect(replica.url);
        },
        recover: () => undefined,
      });
      // Redis may take its time on a machine that is busy with the witness, too, and then each process counts for itself.
      await witness.stop();
      const statuses = (await Promise.all(Array.from({ length: 200 }, (_, at) => call(at)))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(QUOTA - 20);
      for (const url of apis()) {
        const usage = await read(url, contract.account.usage, {}, { key: counted });
        expect(usage).toMatchObject({ calls_this_month: QUOTA, remaining_this_month: 0 });
      }
    } finally {
      await cluster.redisServer.start();
      cluster.redisWire.redirect(cluster.redisServer.url);
      await replica.remove();
    }
    await untilWell();
  });

  it("logs each outage in one line when it begins and one when it is over, and nothing of what fails meanwhile", () => {
    for (const { service } of [...cluster.apis, ...cluster.streams]) {
      const lines = service
        .stderr()
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line): { level: string; msg: string } => JSON.parse(line));
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
      // The failures of this table come within minutes of each other: beyond the first they are logged ever less often.
      expect(lines.filter(({ msg }) => msg.includes("unavailable") || msg.includes("available again")).length).toBeLessThan(16);
    }
  });
});
