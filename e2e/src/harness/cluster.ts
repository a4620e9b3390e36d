/** Separate processes over PostgreSQL and Redis, each connected through a proxy that can be cut, and their ticks. */
import { openWire, type Wire } from "@assay/live/testing/wire";
import { INSTRUMENTS, type Instrument } from "@assay/pricing";
import { expect } from "vitest";
import { temporaryFolder } from "./files.ts";
import { claimRedis, createDatabase, type OwnDatabase, type OwnRedis } from "./servers.ts";
import { API, type Service, type Settings, spawnEntry, startService, untilReady, WRITER } from "./service.ts";

/** The duration of a lease in these tests. */
export const LEASE_TTL_MS = 2_000;

export interface Cluster {
  /** By `WRITER_ID`. */
  readonly writers: ReadonlyMap<string, Service>;
  readonly apis: readonly [Service, Service];
  readonly database: OwnDatabase;
  readonly redis: OwnRedis;
  readonly postgresWire: Wire;
  readonly redisWire: Wire;
  readonly settings: Settings;
  /** Starts a writer, or restarts it after it was killed. */
  startWriter(id: string): Promise<Service>;
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

interface Engines {
  readonly redis: Pick<OwnRedis, "events">;
  readonly database: Pick<OwnDatabase, "sql">;
}

interface StoredTick {
  readonly instrument: string;
  readonly seq: number;
  readonly computedAtMs: number;
  readonly price: string;
}

/** A published tick, with the token of its writer. */
interface PublishedTick extends StoredTick {
  readonly token: number;
}

/** Every published tick, in bus order. */
export const publishedTicks = async (cluster: Engines): Promise<PublishedTick[]> =>
  (await cluster.redis.events()).flatMap(({ kind, token, ticks }) =>
    kind === "moment" ? (ticks as StoredTick[]).map((tick) => ({ ...tick, token: Number(token) })) : [],
  ); // events in our own format

const storedTicks = (cluster: Engines): Promise<StoredTick[]> =>
  cluster.database.sql<StoredTick[]>`
    select instrument, seq::int as seq, (extract(epoch from computed_at) * 1000)::float8 as "computedAtMs", payload->>'price' as price
    from ticks order by instrument, seq`;

const isAscending = (values: readonly number[]): boolean => values.every((value, index) => value >= (values[index - 1] ?? value));

const sayOf = ({ computedAtMs, price }: StoredTick): string => `${computedAtMs} ${price}`;

/**
 * No number is used twice or skipped, and an older writer never publishes after a newer one. A writer killed between storing and
 * publishing leaves an unpublished tick; one whose answer from Redis was lost publishes the same tick again.
 * @param instruments those that have prices
 */
export const holdNumbers = async (
  cluster: Engines,
  instruments: readonly Instrument[] = INSTRUMENTS,
): Promise<readonly StoredTick[]> => {
  const allTold = await publishedTicks(cluster);
  const allStored = await storedTicks(cluster);
  for (const instrument of instruments) {
    const kept = allStored.filter((tick) => tick.instrument === instrument);
    const first = kept[0]?.seq ?? 0;
    expect(kept.length, instrument).toBeGreaterThan(0);
    expect(
      kept.flatMap(({ seq }, index) => (seq === first + index ? [] : [seq])),
      `${instrument}: stored without a gap`,
    ).toEqual([]);
    expect(isAscending(kept.map(({ computedAtMs }) => computedAtMs)), `${instrument}: stored in time order`).toBe(true);

    const heard = allTold.filter((tick) => tick.instrument === instrument);
    expect(isAscending(heard.map(({ seq }) => seq)), `${instrument}: sent in order`).toBe(true);
    expect(isAscending(heard.map(({ token }) => token)), `${instrument}: no older writer after a newer one`).toBe(true);
    const bySeq = new Map(kept.map((tick) => [tick.seq, sayOf(tick)]));
    expect(
      heard.filter((tick) => bySeq.get(tick.seq) !== sayOf(tick)),
      `${instrument}: what is sent is what is stored`,
    ).toEqual([]);
  }
  return allStored;
};

/** The same of a market that changes every second, and it has no hole. */
export const holdTicks = async (cluster: Engines): Promise<void> => {
  const allStored = await holdNumbers(cluster);
  const gold = allStored.filter(({ instrument }) => instrument === "XAU-USD-SPOT").map(({ computedAtMs }) => computedAtMs);
  const holes = gold.flatMap((atMs, index) =>
    index === 0 || atMs - (gold[index - 1] ?? 0) === 1_000 ? [] : [new Date(atMs).toISOString()],
  );
  expect(holes, "a tick of gold each second").toEqual([]);
};
