/** A writer and stream processes over PostgreSQL and Redis, on a market of three metals that changes every second. */
import { openWire, type Wire } from "@assay/live/testing/wire";
import { type Folder, temporaryFolder } from "./files.ts";
import { at, replayFile } from "./replay.ts";
import { claimRedis, createDatabase, type OwnDatabase, type OwnRedis } from "./servers.ts";
import { mintKey, type Service, type Settings, STREAM, spawnEntry, untilReady, WRITER } from "./service.ts";

/** The metals that change. */
export const MOVING = ["XAU-USD-SPOT", "XAG-USD-SPOT", "HG-USD-SPOT"] as const;

/** How long the market changes, in seconds: longer than any suite. */
const MARKET_SECONDS = 900;
const PAST_SECONDS = 30;

export interface StreamCluster {
  readonly streams: Service[];
  readonly writer: Service;
  readonly database: OwnDatabase;
  readonly redis: OwnRedis;
  /** Between the stream processes and Redis; the writer has its own connection. */
  readonly redisWire: Wire;
  readonly settings: Settings;
  readonly key: string;
  readonly keyId: string;
  startStream(): Promise<Service>;
  close(): Promise<void>;
}

const line = (instrument: string, price: string) => ({
  kind: "spot",
  source: `replay-${instrument.slice(0, 3).toLowerCase()}`,
  instrument,
  price,
});

/** Writes a market that differs every second. */
const writeMarket = (folder: Folder): Promise<string> => {
  const startMs = Math.ceil(Date.now() / 1_000) * 1_000 - PAST_SECONDS * 1_000;
  const lines = Array.from({ length: MARKET_SECONDS }, (_, second) => {
    const cents = String(second % 100).padStart(2, "0");
    const atMs = startMs + second * 1_000;
    return [
      at(atMs, line("XAU-USD-SPOT", `4003.${cents}`)),
      at(atMs, line("XAG-USD-SPOT", `50.12${cents}`)),
      at(atMs, line("HG-USD-SPOT", `5.01${cents}`)),
    ];
  });
  return replayFile(folder, lines.flat());
};

/**
 * Starts a cluster.
 * @param tiers merged over the catalog
 * @param count the number of stream processes
 */
export const startStreamCluster = async (tiers: unknown, count: number): Promise<StreamCluster> => {
  const folder = await temporaryFolder();
  const database = await createDatabase();
  const redis = await claimRedis();
  const redisWire = await openWire(redis.url, 6_379);
  const started: Service[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(started.map((service) => service.stop("SIGKILL")));
    await redisWire.close();
    await Promise.all([database.drop(), redis.release(), folder.remove()]);
  };
  try {
    const settings: Settings = {
      DATA_DIR: folder.path,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TIERS_FILE: await folder.write("tiers.json", JSON.stringify(tiers)),
      FEEDS: await writeMarket(folder),
      WRITER_LEASE_TTL_MS: "2000",
      LOG_LEVEL: "info",
    };
    const writer = await untilReady(spawnEntry(WRITER, settings));
    started.push(writer);
    const streams: Service[] = [];
    const startStream = async (): Promise<Service> => {
      const stream = await untilReady(spawnEntry(STREAM, { ...settings, REDIS_URL: redisWire.url }));
      started.push(stream);
      streams.push(stream);
      return stream;
    };
    for (let at = 0; at < count; at++) await startStream();
    const { plaintext: key, id: keyId } = await mintKey(settings, "realtime_pro");
    return { streams, writer, database, redis, redisWire, settings, key, keyId, startStream, close };
  } catch (error) {
    await close();
    throw error;
  }
};
