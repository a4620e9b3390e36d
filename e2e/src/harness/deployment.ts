/**
 * Assay as `deploy` describes it: two writers, two API and two stream processes, each under its own database role and with its
 * secrets in files.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TierName } from "@assay/contract";
import postgres from "postgres";
import { untilStatus } from "./call.ts";
import { type Folder, ROOT, temporaryFolder } from "./files.ts";
import { freePort } from "./proxies.ts";
import { claimRedis, createDatabase, type OwnDatabase, type OwnRedis } from "./servers.ts";
import {
  API,
  MIGRATE,
  mintKey,
  runEntry,
  type Service,
  type Settings,
  STREAM,
  spawnEntry,
  untilReady,
  WRITER,
} from "./service.ts";

/** A process that listens, and where: with PUBLIC_URL its own `url` is that of the proxy. */
interface Listener extends Service {
  readonly address: string;
  readonly metrics: string;
}

/** The processes behind one proxy. */
export interface Front {
  readonly apis: readonly [Listener, Listener];
  readonly streams: readonly [Listener, Listener];
  close(): Promise<void>;
}

export interface Deployment {
  readonly writers: readonly [Service, Service];
  readonly database: OwnDatabase;
  readonly redis: OwnRedis;
  /** Starts two API and two stream processes, and waits until everything they serve is there. */
  openFront(own: Settings): Promise<Front>;
  /** Creates a key of an organisation, as the owner of the tables. */
  mint(tier: TierName, org: string): Promise<string>;
  close(): Promise<void>;
}

const killAll = async (services: readonly Service[]): Promise<void> => {
  await Promise.all(services.map((service) => service.stop("SIGKILL")));
};

/** What a first start still has to make: older history, surfaces, archives. */
const untilComplete = async ({ address }: Listener): Promise<void> => {
  const url = `http://${address}`;
  await untilStatus(
    url,
    "history and archives are complete and all is well",
    ({ status, history, archives }) => status === "ok" && history.complete && archives?.pending === 0,
    { withinMs: 600_000, everyMs: 1_000 },
  );
};

/**
 * Starts a deployment.
 * @param tiers merged over the catalog
 */
export const startDeployment = async (tiers: unknown): Promise<Deployment> => {
  const folder: Folder = await temporaryFolder();
  const database = await createDatabase();
  const redis = await claimRedis();
  const started: Service[] = [];
  let roles: DatabaseRoles | undefined;
  const close = async (): Promise<void> => {
    await killAll(started);
    await roles?.drop();
    await Promise.all([database.drop(), redis.release(), folder.remove()]);
  };
  try {
    const migrated = await runEntry(MIGRATE, { DATABASE_URL: database.url });
    if (migrated.code !== 0) throw new Error(migrated.stderr);
    roles = await createRoles(database);
    const { urls } = roles;
    const common: Settings = {
      DATA_DIR: folder.path,
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify(tiers)),
      TRUST_PROXY: "127.0.0.1",
    };
    const redisSecret = await folder.write("redis-url", `${redis.url}\n`);
    const start = async (entry: string, role: Role, more: Settings): Promise<Service> => {
      const secret = await folder.write(`${role}-database-url`, `${urls[role]}\n`);
      const service = await untilReady(
        spawnEntry(entry, { ...common, DATABASE_URL_FILE: secret, REDIS_URL_FILE: redisSecret, ...more }),
      );
      started.push(service);
      return service;
    };
    const listen = async (entry: string, role: Role, own: Settings): Promise<Listener> => {
      const [port, metricsPort] = [String(await freePort()), String(await freePort())];
      const service = await start(entry, role, { ...own, PORT: port, METRICS_PORT: metricsPort });
      return { ...service, address: `127.0.0.1:${port}`, metrics: `http://127.0.0.1:${metricsPort}` };
    };
    const openFront = async (own: Settings): Promise<Front> => {
      const apis = [await listen(API, "api", own), await listen(API, "api", own)] as const;
      const streams = [await listen(STREAM, "stream", own), await listen(STREAM, "stream", own)] as const;
      for (const api of apis) await untilComplete(api);
      return { apis, streams, close: () => killAll([...apis, ...streams]) };
    };
    const writers = [
      await start(WRITER, "writer", { WRITER_ID: "writer-one" }),
      await start(WRITER, "writer", { WRITER_ID: "writer-two" }),
    ] as const;
    const operator: Settings = { ...common, DATABASE_URL: database.url, REDIS_URL: redis.url };
    const mint = async (tier: TierName, org: string): Promise<string> => (await mintKey(operator, tier, org)).plaintext;
    return { writers, database, redis, openFront, mint, close };
  } catch (error) {
    await close();
    throw error;
  }
};

export const ROLES = ["api", "stream", "writer"] as const;
export type Role = (typeof ROLES)[number];

export interface DatabaseRoles {
  /** The database's address as each role. */
  readonly urls: Readonly<Record<Role, string>>;
  /** Applies the file again, as after an upgrade. */
  apply(): Promise<void>;
  /** Removes the roles, which would outlive the database. */
  drop(): Promise<void>;
}

/** Creates the roles; the tables must exist. */
export const createRoles = async ({ sql, url }: OwnDatabase): Promise<DatabaseRoles> => {
  const suffix = randomUUID().slice(0, 8);
  const nameOf = (role: Role): string => `assay_${role}_${suffix}`;
  const text = await readFile(join(ROOT, "deploy/postgres/roles.sql"), "utf8");
  const own = text.replace(/\bassay_(api|stream|writer)\b/g, (_, role: Role) => nameOf(role));
  const password = randomUUID();
  const apply = async (): Promise<void> => {
    // The file is a transaction, which needs a connection of its own.
    const owner = postgres(url, { max: 1, onnotice: () => undefined });
    try {
      await owner.unsafe(own).simple();
      for (const role of ROLES) await owner.unsafe(`alter role ${nameOf(role)} password '${password}'`);
    } finally {
      await owner.end();
    }
  };
  await apply();
  const urlOf = (role: Role): string => {
    const address = new URL(url);
    address.username = nameOf(role);
    address.password = password;
    return address.href;
  };
  return {
    urls: { api: urlOf("api"), stream: urlOf("stream"), writer: urlOf("writer") },
    apply,
    drop: async () => {
      for (const role of ROLES) await sql.unsafe(`drop owned by ${nameOf(role)} cascade; drop role ${nameOf(role)}`).simple();
    },
  };
};
