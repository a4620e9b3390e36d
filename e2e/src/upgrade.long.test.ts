/**
 * A running cluster of an earlier commit is upgraded to this one, process by process behind nginx, as docs/operate/run.md describes it:
 * under load no request fails, streams lose nothing, and sequence numbers go on.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask } from "./harness/call.ts";
import { holdTicks } from "./harness/cluster.ts";
import { eventually } from "./harness/eventually.ts";
import { type Folder, ROOT, temporaryFolder } from "./harness/files.ts";
import { type Follower, follow, summary, untilFollowing, untilSeq } from "./harness/follower.ts";
import { startLoad } from "./harness/load.ts";
import { buildRelease, type Release, whyNoCommit } from "./harness/previous-release.ts";
import { freePort, makeCertificate, missingFor, type RunningProxy, startProxyServer } from "./harness/proxies.ts";
import { claimRedis, createDatabase, hasServers, type OwnDatabase, type OwnRedis, sayWhySkipped } from "./harness/servers.ts";
import { ASSAY, MIGRATE, mintKey, runEntry, type Service, type Settings, spawnProgram, untilReady } from "./harness/service.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 900_000 });

/** The last commit before processes were packaged. */
const PREVIOUS = "926966e";
const GOLD = "XAU-USD-SPOT";
const OFTEN = { rate_limit_per_minute: 10_000_000, monthly_quota: 10_000_000, max_concurrent_streams: 100 };
/** That release leaves out milliseconds that are zero. */
const read = (text: string): string => text.replace(/("server_time":"[^".]+)Z"/, '$1.000Z"');
const CLIENTS = 4;
const FOLLOWERS = 10;

const reasons = [
  ...missingFor("nginx").map((program) => `${program} is not installed`),
  ...[whyNoCommit(PREVIOUS)].filter((reason) => reason !== null),
];
sayWhySkipped("an upgrade under load");
if (reasons.length > 0) console.info(`an upgrade under load: skipped, because ${reasons.join(" and ")}`);

/** A process at its own port, of either release. */
interface Place {
  readonly entry: string;
  readonly settings: Settings;
  service: Service;
}

describe.skipIf(reasons.length > 0 || !hasServers)(
  `a cluster of ${PREVIOUS}`,
  { meta: { needs: [...reasons, "or TEST_DATABASE_URL or TEST_REDIS_URL is not set"].join(" ") } },
  () => {
    let folder: Folder;
    let release: Release;
    let database: OwnDatabase;
    let redis: OwnRedis;
    let proxy: RunningProxy;
    let common: Settings;
    let url: string;
    let ca: string;
    const places: Place[] = [];

    /** Starts a process, again if it gives up on a slow database, as every shipped package does. */
    const start = async (assay: string, entry: string, settings: Settings, restarts = 3): Promise<Service> => {
      try {
        return await untilReady(spawnProgram(ROOT, settings, [assay, entry]));
      } catch (error) {
        if (restarts === 0 || !String(error).includes("does not answer")) throw error;
        return start(assay, entry, settings, restarts - 1);
      }
    };
    const place = async (entry: string, own: Settings): Promise<Place> => {
      const settings = { ...common, ...own };
      const made: Place = { entry, settings, service: await start(release.assay, entry, settings) };
      places.push(made);
      return made;
    };

    beforeAll(async () => {
      folder = await temporaryFolder();
      release = await buildRelease(PREVIOUS, "apps/cli");
      database = await createDatabase();
      redis = await claimRedis();
      const [port, ...ports] = await Promise.all(Array.from({ length: 5 }, freePort));
      url = `https://localhost:${port}`;
      common = {
        DATA_DIR: folder.path,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        TRUST_PROXY: "127.0.0.1",
        TIERS_FILE: await folder.write("tiers.json", JSON.stringify({ pro: OFTEN, realtime_pro: OFTEN })),
        DISABLE: "download",
      };
      await place("writer", { WRITER_ID: "leader" });
      await place("writer", { WRITER_ID: "standby" });
      for (const [index, each] of ports.entries()) await place(index < 2 ? "api" : "stream", { PORT: String(each) });
      const certificate = await makeCertificate(folder.path);
      ca = await readFile(certificate.cert, "utf8");
      const addresses = ports.map((each) => `127.0.0.1:${each}`);
      const behind = { apis: addresses.slice(0, 2), streams: addresses.slice(2) };
      proxy = await startProxyServer("nginx", { folder: folder.path, certificate, port: port ?? 0, ...behind });
      const api = places.find(({ entry }) => entry === "api");
      // Read as it is: this contract's schema may be stricter than the earlier one.
      const status = async () => (await ask(api?.service.url ?? "", "/v1/status", { from: "198.18.0.1" })).text;
      const isWell = (text: string) => text.includes('"status":"ok"') && text.includes('"history":{"complete":true');
      await eventually("all is well", status, isWell, { withinMs: 300_000, everyMs: 2_000 });
    });
    afterAll(async () => {
      await proxy?.stop();
      await Promise.all(places.map(({ service }) => service.stop("SIGKILL")));
      await database?.drop();
      await redis?.release();
      await release?.remove();
      await folder?.remove();
    });

    const newest = async (): Promise<number> => {
      const [row] = await database.sql<{ seq: number }[]>`select max(seq)::int as seq from ticks where instrument = ${GOLD}`;
      return row?.seq ?? 0;
    };
    const upgrade = async (each: Place): Promise<void> => {
      expect(await each.service.stop("SIGTERM")).toEqual({ code: 0, signal: null });
      each.service = await start(ASSAY, each.entry, each.settings);
    };

    it("is upgraded process by process without a failed request, a lost tick or a number used twice", async () => {
      const { plaintext: key } = await mintKey(common, "realtime_pro");
      const paths = ["/v1/spot/gold", "/v1/bars/latest?symbol=XAU-USD-SPOT&interval=1m", "/v1/prices", "/v1/health"];
      const load = startLoad(
        paths.map((path) => `${url}${path}`),
        key,
        CLIENTS,
        ca,
      );
      const clients: Follower[] = await follow(FOLLOWERS, { urls: [url], key, symbols: [GOLD], ca, read });
      await untilSeq(clients, GOLD, (await newest()) + 1);

      // Forward only, and beside processes of the previous release, which go on answering.
      expect(await runEntry(MIGRATE, common)).toMatchObject({ code: 0, stderr: "" });
      const [leader, standby, ...others] = places;
      for (const each of [standby, leader, ...others.toReversed()]) {
        if (!each) throw new Error("a process is missing");
        const answered = load.outcomes.length;
        await upgrade(each);
        await eventually(
          "the load goes on",
          () => load.outcomes.length,
          (length) => length > answered + 20,
        );
      }
      await untilFollowing(clients);
      await untilSeq(clients, GOLD, (await newest()) + 3, 60_000);
      await load.stop();

      const failed = load.outcomes.filter(({ status }) => status !== 200);
      const sum = summary(clients);
      console.info(
        `upgraded under load: ${load.outcomes.length} requests, ${failed.length} failed; streams ${JSON.stringify(sum)}`,
      );
      expect(failed.slice(0, 3)).toEqual([]);
      expect({ faults: sum.faults, gaps: sum.gaps }).toEqual({ faults: [], gaps: 0 });
      await holdTicks({ database, redis });
      for (const client of clients) client.close();
    });
  },
);
