/** Processes that are started before PostgreSQL and Redis: they wait for them, say so once, and end on a signal. */
import { contract } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, read, untilStatus } from "./harness/call.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, temporaryFolder } from "./harness/files.ts";
import {
  freePort,
  missingServers,
  type OwnRedisServer,
  type OwnServer,
  startOwnPostgres,
  startOwnRedis,
} from "./harness/own-servers.ts";
import { API, endOf, MIGRATE, type Settings, STREAM, spawnEntry, untilReady, type Watched, WRITER } from "./harness/service.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });

const missing = missingServers();
if (missing.length > 0) console.info(`late engines: skipped, because ${missing.join(", ")} is not installed`);

/** Longer than a few tries, so that a line for each would show. */
const TRIES_MS = 4_000;

const linesOf = ({ stderr }: Watched, engine: string): string[] =>
  stderr()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): { engine?: string; msg: string } => JSON.parse(line))
    .filter((line) => line.engine === engine)
    .map(({ msg }) => msg);

describe.skipIf(missing.length > 0)(
  "without PostgreSQL and Redis",
  { meta: { needs: "PostgreSQL's and Redis's programs" } },
  () => {
    let folder: Folder;
    let postgres: OwnServer;
    let redis: OwnRedisServer;
    let settings: Settings;
    beforeAll(async () => {
      folder = await temporaryFolder();
      [postgres, redis] = await Promise.all([startOwnPostgres(60), startOwnRedis()]);
      await Promise.all([postgres.kill(), redis.kill()]);
      settings = { DATA_DIR: folder.path, DATABASE_URL: postgres.url, REDIS_URL: redis.url, LOG_LEVEL: "info" };
    });
    afterAll(async () => {
      await Promise.all([postgres?.remove(), redis?.remove()]);
      await folder?.remove();
    });

    const untilWaiting = (watched: Watched) =>
      eventually(
        "it says that it waits",
        async () => linesOf(watched, "database"),
        (lines) => lines.length > 0,
        { withinMs: 60_000 },
      );

    it.each([API, STREAM, WRITER])("%s waits, and ends with 0 when it is stopped", async (entry) => {
      const waiting = spawnEntry(entry, settings);
      await untilWaiting(waiting);
      waiting.child.kill("SIGTERM");
      expect(await endOf(waiting, 10_000)).toEqual({ code: 0, signal: null });
      expect(waiting.stdout()).toBe("");
    });

    it("every process lives and is not ready, and serves once they are there; so does migrate", async () => {
      const ports = await Promise.all([freePort(), freePort(), freePort()]);
      const [api, stream, writer] = [API, STREAM, WRITER].map((entry, at) =>
        spawnEntry(entry, { ...settings, METRICS_PORT: String(ports[at]) }),
      ) as [Watched, Watched, Watched]; // one for each
      const migrate = spawnEntry(MIGRATE, settings);
      const all = [api, stream, writer];
      // Without Redis neither is ready, though both serve.
      const serving = Promise.all([untilReady(api, { unready: true }), untilReady(stream, { unready: true })]);
      try {
        await Promise.all([...all, migrate].map(untilWaiting));
        await new Promise((resolve) => setTimeout(resolve, TRIES_MS)); // that nothing happens is what is tested
        for (const port of ports) {
          expect((await ask(`http://127.0.0.1:${port}`, "/live")).status).toBe(200);
          expect((await ask(`http://127.0.0.1:${port}`, "/ready")).status).toBe(503);
        }
        const WAITS = "the database is unavailable; waiting for it";
        for (const each of [...all, migrate]) expect(linesOf(each, "database")).toEqual([WAITS]);

        await postgres.start();
        expect(await endOf(migrate, 60_000)).toEqual({ code: 0, signal: null });
        const [{ url }] = await serving;
        const { status, reasons } = await read(url, contract.system.status, {});
        expect(status).toBe("degraded");
        expect(reasons).toContainEqual(expect.stringMatching(/^cache_unavailable: /));

        await redis.start();
        await untilStatus(url, "all is well", (document) => document.status === "ok", { withinMs: 120_000 });
        for (const port of ports)
          await eventually(
            "it is ready",
            () => ask(`http://127.0.0.1:${port}`, "/ready"),
            (answer) => answer.status === 200,
          );
        expect((await ask(url, "/v1/spot/gold")).status).toBe(200);
        for (const each of [...all, migrate]) {
          const lines = linesOf(each, "database");
          expect(lines.slice(0, 2)).toEqual([WAITS, "the database is available"]);
          expect(lines.slice(2)).not.toContain(WAITS);
        }
        for (const each of all)
          expect(linesOf(each, "redis").slice(0, 2)).toEqual(["redis is unavailable; retrying", "redis is available again"]);
      } finally {
        for (const { child } of [...all, migrate]) child.kill("SIGKILL");
      }
    });
  },
);
