/** The shipped Redis users: every process works under its own, nothing it does is refused, and what the others do is. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, read, untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, temporaryFolder } from "./harness/files.ts";
import { type Follower, follow, summary, untilSeq } from "./harness/follower.ts";
import { missingServers, type OwnRedisServer, type OwnServer, startOwnPostgres, startOwnRedis } from "./harness/own-servers.ts";
import {
  API,
  KEYS,
  mintKey,
  runEntry,
  type Service,
  type Settings,
  STREAM,
  spawnEntry,
  untilReady,
  WRITER,
} from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });

const missing = missingServers();
if (missing.length > 0) console.info(`Redis users: skipped, because ${missing.join(", ")} is not installed`);

const GOLD = "XAU-USD-SPOT";
const ROLES = ["api", "stream", "writer", "operator"] as const;
type Role = (typeof ROLES)[number];

describe.skipIf(missing.length > 0)(
  "the users of deploy/redis/roles.sh",
  { meta: { needs: "PostgreSQL's and Redis's programs" } },
  () => {
    let folder: Folder;
    let postgres: OwnServer;
    let redis: OwnRedisServer;
    const services: Service[] = [];
    let followers: Follower[] = [];

    /** As an operator pipes it into redis-cli, line by line. */
    const apply = async (env: Record<string, string>): Promise<void> => {
      const text = execFileSync(join(ROOT, "deploy/redis/roles.sh"), {
        env: { PATH: process.env.PATH ?? "", ...env },
        encoding: "utf8",
      });
      for (const line of text.trim().split("\n")) expect(await redis.command(...line.trim().split(/\s+/))).toBe("OK");
    };
    const settingsOf = (role: Role): Settings => {
      const address = new URL(redis.url);
      address.username = `assay_${role}`;
      address.password = `password-of-${role}`;
      return { DATA_DIR: folder.path, DATABASE_URL: postgres.url, REDIS_URL: address.href, TRUST_PROXY: "127.0.0.1" };
    };
    const start = async (entry: string, role: Role): Promise<Service> => {
      const service = await untilReady(spawnEntry(entry, settingsOf(role)));
      services.push(service);
      return service;
    };

    beforeAll(async () => {
      folder = await temporaryFolder();
      [postgres, redis] = await Promise.all([startOwnPostgres(60), startOwnRedis()]);
      await apply(Object.fromEntries(ROLES.map((role) => [`${role.toUpperCase()}_PASSWORD`, `password-of-${role}`])));
      // After an upgrade, without passwords: each user keeps its own.
      await apply({});
    });
    afterAll(async () => {
      for (const follower of followers) follower.close();
      await Promise.all(services.map((service) => service.stop("SIGKILL")));
      await Promise.all([postgres?.remove(), redis?.remove()]);
      await folder?.remove();
    });

    it("let every process do all of its work", async () => {
      await start(WRITER, "writer");
      const [one, two, stream] = [await start(API, "api"), await start(API, "api"), await start(STREAM, "stream")];
      for (const { url } of [one, two])
        await untilStatus(url, "all is well", ({ status }) => status === "ok", { withinMs: 90_000 });
      const { id, plaintext: key } = await mintKey(settingsOf("operator"), "realtime_pro");
      for (const { url } of [one, two]) expect((await ask(url, "/v1/spot/gold", { key })).status).toBe(200);
      expect(await read(one.url, contract.account.usage, {}, { key })).toMatchObject({ calls_this_month: 2 });
      followers = await follow(2, { urls: [stream.url], key, symbols: [GOLD] });
      const first = Math.min(...followers.map((follower) => follower.at.get(GOLD) ?? 0));
      await untilSeq(followers, GOLD, first + 3);
      expect(summary(followers).faults).toEqual([]);
      expect((await runEntry(KEYS, settingsOf("operator"), ["revoke", id])).code).toBe(0);
      await eventually(
        "both refuse it",
        () => Promise.all([one, two].map(async ({ url }) => (await ask(url, "/v1/spot/gold", { key })).status)),
        (statuses) => statuses.every((status) => status === 401),
        { withinMs: 5_000 },
      );
      expect(await redis.command("ACL", "LOG")).toEqual([]);
    });

    it("let a key that a caller revokes end everywhere within five seconds, although an API process announces nothing", async () => {
      const [, one, two] = services as [Service, Service, Service, Service]; // as started above
      const { plaintext: key } = await mintKey(settingsOf("operator"), "pro", "Caller Ltd");
      const [own] = await read(one.url, contract.account.listKeys, {}, { key });
      for (const { url } of [one, two]) expect((await ask(url, "/v1/spot/gold", { key })).status).toBe(200);
      const { status } = await ask(one.url, `/v1/account/keys/${own?.id}`, { key, method: "DELETE" });
      expect(status).toBe(204);
      let asked = 0;
      await eventually(
        "both refuse it",
        () => {
          // Refused keys are counted by address.
          asked += 1;
          const from = `198.51.100.${asked}`;
          return Promise.all([one, two].map(async ({ url }) => (await ask(url, "/v1/spot/gold", { key, from })).status));
        },
        (statuses) => statuses.every((each) => each === 401),
        { withinMs: 6_000 },
      );
    });

    it.each<[Role, ...string[]]>([
      ["api", "SET", "assay:lease", "1:me"],
      ["api", "EVALSHA", "0".repeat(40), "1", "assay:lease"],
      ["api", "XADD", "assay:events", "*", "event", "{}"],
      ["api", "SET", "assay:events:tail", "1-1"],
      ["api", "HSET", "assay:latest:feeds", "value", "{}"],
      ["stream", "XADD", "assay:events", "*", "event", "{}"],
      ["stream", "SET", "assay:lease:token", "9"],
      ["stream", "HSET", "assay:latest:feeds", "value", "{}"],
      ["writer", "HGETALL", "assay:usage:2026-11:org"],
      ["writer", "SET", "assay:limit:60000:org", "0"],
      ["writer", "HDEL", "assay:streams:org:org", "place"],
      ["operator", "SET", "assay:lease", "1:me"],
      ["operator", "HSET", "assay:usage:2026-11:org", "month", "0"],
      ["operator", "HSET", "assay:latest:feeds", "value", "{}"],
    ])("refuse %s: %s %s", async (role, ...command) => {
      expect(await redis.command("ACL", "DRYRUN", `assay_${role}`, ...command)).toMatch(/no permissions/);
    });

    it.each(ROLES)(
      "let %s list no keys, empty nothing, change no setting and no user, and reach no other service's keys",
      async (role) => {
        for (const line of [
          "KEYS *",
          "SCAN 0",
          "FLUSHALL",
          "FLUSHDB",
          "CONFIG GET *",
          "ACL LIST",
          "REPLICAOF NO ONE",
          "SHUTDOWN",
          "MONITOR",
          "GET other",
        ])
          expect(await redis.command("ACL", "DRYRUN", `assay_${role}`, ...line.split(" ")), line).toMatch(/no permissions/);
      },
    );
  },
);
