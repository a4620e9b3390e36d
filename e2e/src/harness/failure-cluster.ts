/** Two API, two stream and two writer processes behind nginx, on a PostgreSQL and a Redis of their own. */
import { openWire, type Wire } from "@assay/live/testing/wire";
import postgres from "postgres";
import { temporaryFolder } from "./files.ts";
import { type Nginx, startNginx } from "./nginx.ts";
import { freePort, NGINX, type OwnRedisServer, type OwnServer, startOwnPostgres, startOwnRedis } from "./own-servers.ts";
import type { OwnDatabase, OwnRedis } from "./servers.ts";
import { redisEvents } from "./servers.ts";
import { API, type Service, type Settings, STREAM, spawnEntry, untilReady, WRITER } from "./service.ts";

/** The duration of a lease: short, but not so short that a busy machine loses it. */
export const LEASE_MS = 5_000;
/** Connections PostgreSQL takes: what six processes and the suite need, and some. */
const MAX_CONNECTIONS = 80;

/** A process that is started again on its port. */
interface Member {
  readonly port: number;
  service: Service;
  /** Starts it again, after it has ended. */
  restart(): Promise<void>;
}

export interface FailureCluster {
  /** Where clients call: nginx, or the first API without one. */
  readonly url: string;
  readonly streamUrl: string;
  readonly apis: readonly [Member, Member];
  readonly streams: readonly [Member, Member];
  readonly writers: Map<string, Service>;
  readonly postgres: OwnServer;
  readonly redisServer: OwnRedisServer;
  readonly database: Pick<OwnDatabase, "sql">;
  readonly redis: Pick<OwnRedis, "events">;
  /** From every process to PostgreSQL. */
  readonly postgresWire: Wire;
  /** From every process to Redis: it can be pointed at another. */
  readonly redisWire: Wire;
  /** From the first writer to PostgreSQL. */
  readonly writerWire: Wire;
  readonly settings: Settings;
  startWriter(id: string, own?: Settings): Promise<Service>;
  close(): Promise<void>;
}

/**
 * Starts one.
 * @param tiers merged over the catalog
 * @param common further settings of every process
 */
export const startFailureCluster = async (tiers: unknown, common: Settings = {}): Promise<FailureCluster> => {
  const closing: (() => unknown)[] = [];
  const onClose = <T>(part: T, close: (part: T) => unknown): T => {
    closing.unshift(() => close(part));
    return part;
  };
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0)) await each();
  };
  try {
    const folder = onClose(await temporaryFolder(), (each) => each.remove());
    const postgresServer = onClose(await startOwnPostgres(MAX_CONNECTIONS), (each) => each.remove());
    const redisServer = onClose(await startOwnRedis(), (each) => each.remove());
    const postgresWire = onClose(await openWire(postgresServer.url, 5_432), (each) => each.close());
    const writerWire = onClose(await openWire(postgresServer.url, 5_432), (each) => each.close());
    const redisWire = onClose(await openWire(redisServer.url, 6_379), (each) => each.close());
    const settings: Settings = {
      DATA_DIR: folder.path,
      DATABASE_URL: postgresWire.url,
      REDIS_URL: redisWire.url,
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify(tiers)),
      TRUST_PROXY: "127.0.0.1",
      WRITER_LEASE_TTL_MS: String(LEASE_MS),
      LOG_LEVEL: "info",
      ...common,
    };
    const running = onClose(new Set<Service>(), (all) => Promise.all([...all].map((each) => each.stop("SIGKILL"))));
    const run = async (entry: string, own: Settings): Promise<Service> => {
      const service = await untilReady(spawnEntry(entry, { ...settings, ...own }));
      running.add(service);
      return service;
    };
    const writers = new Map<string, Service>();
    const startWriter = async (id: string, own: Settings = {}): Promise<Service> => {
      const service = await run(WRITER, { WRITER_ID: id, ...own });
      writers.set(id, service);
      return service;
    };
    const startMember = async (entry: string): Promise<Member> => {
      const port = await freePort();
      const start = () => run(entry, { PORT: String(port) });
      const member: Member = {
        port,
        service: await start(),
        restart: async () => {
          member.service = await start();
        },
      };
      return member;
    };
    await startWriter("writer-one", { DATABASE_URL: writerWire.url });
    const apis = [await startMember(API), await startMember(API)] as const;
    const streams = [await startMember(STREAM), await startMember(STREAM)] as const;
    const ports = { apis: apis.map(({ port }) => port), streams: streams.map(({ port }) => port) };
    const nginx: Nginx | null = NGINX === null ? null : onClose(await startNginx(ports), (each) => each.close());
    const sql = onClose(postgres(postgresServer.url, { max: 2, onnotice: () => undefined }), (each) => each.end({ timeout: 1 }));
    return {
      url: nginx?.url ?? apis[0].service.url,
      streamUrl: nginx?.url ?? streams[0].service.url,
      apis,
      streams,
      writers,
      postgres: postgresServer,
      redisServer,
      database: { sql },
      redis: { events: () => redisEvents(redisWire.url) },
      postgresWire,
      redisWire,
      writerWire,
      settings,
      startWriter,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
