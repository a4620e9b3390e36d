/**
 * Backup and restore of both engines, as docs/operate/recover.md describes them: no number is used twice, keys work, counts go
 * on.
 */
import { execFile, spawnSync } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { contract } from "@assay/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, read, untilStatus } from "./harness/call.ts";
import { createRoles } from "./harness/deployment.ts";
import { eventually } from "./harness/eventually.ts";
import { ROOT, readDemoKeys, temporaryFolder } from "./harness/files.ts";
import { claimRedis, createDatabase, DATABASE_SERVER, hasServers, sayWhySkipped } from "./harness/servers.ts";
import {
  API,
  mintKey,
  RENUMBER,
  runEntry,
  type Service,
  type Settings,
  STREAM,
  spawnEntry,
  startService,
  untilReady,
  WRITER,
} from "./harness/service.ts";
import { openTicks, type TickReader } from "./harness/stream-readers.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const run = promisify(execFile);
const OFTEN = { rate_limit_per_minute: 1_000_000, monthly_quota: 1_000_000 };
const TIERS = { free: OFTEN, pro: OFTEN };
/** Calls before the backup, and after it: those are lost with it. */
const [CALLS_BEFORE, CALLS_AFTER] = [12, 5] as const;

const callsOf = async (url: string, key: string): Promise<number> =>
  (await read(url, contract.account.usage, {}, { key })).calls_this_month;

const count = async (url: string, key: string, calls: number): Promise<void> => {
  for (let call = 0; call < calls; call += 1) expect((await ask(url, "/v1/spot/gold", { key })).status).toBe(200);
};

/** Every number that was seen before the restore with the price it stood for, and the same after it. */
const expectNoNumberTwice = (before: TickReader, after: TickReader): void => {
  const highest = Math.max(...before.prices.keys());
  expect(before.prices.size).toBeGreaterThan(3);
  expect(after.prices.size).toBeGreaterThan(3);
  expect([...after.prices.keys()].filter((seq) => seq <= highest)).toEqual([]);
};

const cleanUps: (() => Promise<unknown>)[] = [];
const later = <T>(made: T, cleanUp: (made: T) => Promise<unknown>): T => {
  cleanUps.push(() => cleanUp(made));
  return made;
};
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

describe("a copy of DATA_DIR, made while the service is stopped", () => {
  it("is restored with its keys, counts and archives, and no sequence number is used twice", async () => {
    const folder = later(await temporaryFolder(), (made) => made.remove());
    const dataDir = join(folder.path, "data");
    const settings: Settings = {
      DATA_DIR: dataDir,
      DISABLE: "",
      TRUST_PROXY: "127.0.0.1",
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify(TIERS)),
    };
    const start = async (): Promise<Service> => later(await startService(settings), (made) => made.stop("SIGKILL"));
    const first = await start();
    const key = (await readDemoKeys(dataDir)).pro;
    await count(first.url, key, CALLS_BEFORE);
    const archives = (url: string) =>
      untilStatus(url, "archives are built", (status) => status.archives?.pending === 0, { withinMs: 480_000, everyMs: 1_000 });
    await archives(first.url);
    const link = await ask(first.url, "/v1/download?symbol=XAU-USD-SPOT&year=2020", { key });
    expect((await first.stop()).code).toBe(0);
    const copy = join(folder.path, "copy");
    await cp(dataDir, copy, { recursive: true });

    const second = await start();
    const before = later(await openTicks(second.url, key), async (made) => made.close());
    await count(second.url, key, CALLS_AFTER);
    await before.until(8);
    expect((await second.stop()).code).toBe(0);

    await rm(dataDir, { recursive: true });
    await cp(copy, dataDir, { recursive: true });
    // Archives are not needed in a backup: they are made of the bars.
    await rm(join(dataDir, "archives"), { recursive: true });
    expect(await runEntry(RENUMBER, { DATA_DIR: dataDir })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("raised by"),
    });
    const restored = await start();
    const after = later(await openTicks(restored.url, key), async (made) => made.close());
    await after.until(8);
    expectNoNumberTwice(before, after);
    // The link was one call before the backup, the stream that is open now is one after it.
    expect(await callsOf(restored.url, key)).toBe(CALLS_BEFORE + 2);
    expect(link.status).toBe(307);
  });
});

const CLIENT_TOOLS = ["pg_dump", "pg_restore"];
/** As docs/operate/recover.md has it: a new server has neither the owner nor the roles whose rights are in the dump. */
const RESTORE = ["--exit-on-error", "--no-owner", "--no-privileges"];
const lacking = CLIENT_TOOLS.filter((program) => spawnSync(program, ["--version"]).status !== 0);
sayWhySkipped("backup and restore of PostgreSQL");
if (lacking.length > 0)
  console.info(`backup and restore of PostgreSQL: skipped, because ${lacking.join(" and ")} is not installed`);

describe.skipIf(!hasServers || lacking.length > 0)(
  "a dump of PostgreSQL, made while everything runs",
  { meta: { needs: "TEST_DATABASE_URL or TEST_REDIS_URL is not set, or pg_dump is not installed" } },
  () => {
    it("is restored with its keys, counts and past, and no sequence number is used twice", async () => {
      const folder = later(await temporaryFolder(), (made) => made.remove());
      const redis = later(await claimRedis(), (made) => made.release());
      const database = later(await createDatabase(), (made) => made.drop());
      const settingsOf = async (databaseUrl: string): Promise<Settings> => ({
        DATA_DIR: folder.path,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis.url,
        TRUST_PROXY: "127.0.0.1",
        TIERS_FILE: await folder.write("tiers.json", JSON.stringify(TIERS)),
        DISABLE: "download",
      });
      const startAll = async (settings: Settings) => {
        const services: Service[] = [];
        const start = async (entry: string): Promise<Service> => {
          const service = later(await untilReady(spawnEntry(entry, settings)), (made) => made.stop("SIGKILL"));
          services.push(service);
          return service;
        };
        await start(WRITER);
        const [api, stream] = [await start(API), await start(STREAM)];
        await untilStatus(api.url, "all is well", ({ status }) => status === "ok", { withinMs: 240_000 });
        const stop = async (): Promise<void> => {
          for (const service of services.toReversed()) expect((await service.stop()).code).toBe(0);
        };
        return { api, stream, stop };
      };

      const settings = await settingsOf(database.url);
      const first = await startAll(settings);
      const { plaintext: key } = await mintKey(settings, "pro");
      const { plaintext: revoked, id } = await mintKey(settings, "pro", "Revoked Ltd");
      await runEntry("keys", settings, ["revoke", id]);
      await count(first.api.url, key, CALLS_BEFORE);
      const before = later(await openTicks(first.stream.url, key), async (made) => made.close());
      await before.until(3);
      const seriesAt = (instant: string, { api }: Pick<typeof first, "api">) =>
        ask(api.url, `/v1/series?symbol=XAU/EUR&from=2025-01-01&to=2025-01-31&known_at=${instant}`, { key });
      const [recorded] = await database.sql<{ at: Date }[]>`select max(recorded_at) as at from revisions`;
      const knownAt = recorded?.at.toISOString() ?? "";
      const series = await seriesAt(knownAt, first);
      expect(series.status).toBe(200);
      // The series and a stream are a call each.
      await eventually(
        "the calls are in the store",
        () => database.sql<{ calls: string }[]>`select sum(calls)::text as calls from usage_daily`,
        ([row]) => row?.calls === String(CALLS_BEFORE + 2),
      );
      const dump = join(folder.path, "assay.dump");
      const roles = await createRoles(database);
      await run("pg_dump", ["--format=custom", `--file=${dump}`, database.url]);
      // What comes now is not in the dump: ticks, calls and a key.
      await before.until(10);
      await count(first.api.url, key, CALLS_AFTER);
      const { plaintext: lost } = await mintKey(settings, "pro", "Lost Ltd");
      await database.sql`update fx_tables set rates = '{"USD":"2"}' where role = 'reference' and observed_at >= '2025-01-01'`;
      const lostAt = new Date().toISOString();
      await first.stop();

      await roles.drop();
      const other = later(await createDatabase(DATABASE_SERVER), (made) => made.drop());
      const page = await readFile(join(ROOT, "docs/operate/recover.md"), "utf8");
      expect(page.match(/pg_restore .*/g)?.filter((command) => !command.includes(RESTORE.join(" ")))).toEqual([]);
      await run("pg_restore", [...RESTORE, `--dbname=${other.url}`, dump]);
      await redis.loseAll();
      const moved = await settingsOf(other.url);
      expect(await runEntry(RENUMBER, moved)).toMatchObject({ code: 0, stdout: expect.stringContaining("raised by") });
      const second = await startAll(moved);
      const after = later(await openTicks(second.stream.url, key), async (made) => made.close());
      await after.until(8);
      expectNoNumberTwice(before, after);
      const countsOn = (calls: number) =>
        eventually(
          "counts go on from the dump",
          () => callsOf(second.api.url, key),
          (counted) => counted === calls,
        );
      await countsOn(CALLS_BEFORE + 3);
      await count(second.api.url, key, 1);
      await countsOn(CALLS_BEFORE + 4);
      expect((await seriesAt(knownAt, second)).text).toBe(series.text);
      expect((await seriesAt(lostAt, second)).json).toMatchObject({ error: "unknown_past" });
      const statusOf = async (each: string): Promise<number> =>
        (await ask(second.api.url, "/v1/spot/gold", { key: each })).status;
      expect([await statusOf(revoked), await statusOf(lost)]).toEqual([401, 401]);
      await second.stop();
    });
  },
);
