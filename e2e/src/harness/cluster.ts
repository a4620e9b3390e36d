/** Separate processes over PostgreSQL and Redis, each connected through a proxy that can be cut. */

import { openWire, type Wire } from "@assay/live/testing/wire";
import { temporaryFolder } from "./files.ts";
import { claimRedis, createDatabase, type OwnDatabase, type OwnRedis } from "./servers.ts";
import { API, type Service, type Settings, spawnEntry, startService, untilReady, WRITER } from "./service.ts";

/** The duration of a lease in these tests. */
export const LEASE_TTL_MS = 2_000;

/** A running cluster. */
export interface Cluster {
  /** By `WRITER_ID`. */
  readonly writers: ReadonlyMap<string, Service>;
  readonly apis: readonly [Service, Service];
  readonly database: OwnDatabase;
  readonly redis: OwnRedis;
  readonly postgresWire: Wire;
  readonly redisWire: Wire;
  /** Settings of every process of this cluster. */
  readonly settings: Settings;
  /** Starts a writer, or restarts it after it was killed. */
  startWriter(id: string): Promise<Service>;
  /** Kills everything and cleans up. */
  close(): Promise<void>;
}

/**
 * Starts two APIs and some writers.
 * @param writerIds the first one is started first and leads
 */
export const startCluster = async (own: Settings, tiers: unknown, writerIds: readonly string[]): Promise<Cluster> => {
  const folder = await temporaryFolder();
  const database = await createDatabase();
  const redis = await claimRedis();
  const postgresWire = await openWire(database.url, 5_432);
  const redisWire = await openWire(redis.url, 6_379);
  const settings: Settings = {
    DATA_DIR: folder.path,
    DATABASE_URL: postgresWire.url,
    REDIS_URL: redisWire.url,
    TIERS_FILE: await folder.write("tiers.json", JSON.stringify(tiers)),
    TRUST_PROXY: "127.0.0.1",
    WRITER_LEASE_TTL_MS: String(LEASE_TTL_MS),
    LOG_LEVEL: "info",
    ...own,
  };
  const writers = new Map<string, Service>();
  const started: Service[] = [];
  const startWriter = async (id: string): Promise<Service> => {
    const writer = await untilReady(spawnEntry(WRITER, { ...settings, WRITER_ID: id }));
    writers.set(id, writer);
    started.push(writer);
    return writer;
  };
  const close = async (): Promise<void> => {
    await Promise.all(started.map((service) => service.stop("SIGKILL")));
    await Promise.all([postgresWire.close(), redisWire.close()]);
    await Promise.all([database.drop(), redis.release(), folder.remove()]);
  };
  try {
    for (const id of writerIds) await startWriter(id);
    const startApi = async (): Promise<Service> => {
      const api = await startService(settings, API);
      started.push(api);
      return api;
    };
    const apis = [await startApi(), await startApi()] as const;
    return { writers, apis, database, redis, postgresWire, redisWire, settings, startWriter, close };
  } catch (error) {
    await close();
    throw error;
  }
};
