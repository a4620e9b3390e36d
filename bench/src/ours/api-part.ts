/** Assay's API server with every check enabled, over a given store, with market data every second. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApi } from "@assay/api";
import { openArchives } from "@assay/archives";
import { overlayCatalog } from "@assay/contract";
import { openStore, type StoreSource } from "@assay/db";
import { type BusPort, openLive, silentLog } from "@assay/live";
import type { Clock } from "@assay/ports";
import { machineRandom, machineTime } from "@assay/ports";
import { compose, INSTRUMENTS, type Instrument, type Tick } from "@assay/pricing";
import { createKey, newSigningKeys, readSigningKeys } from "@assay/services";
import { simulatedFx, simulatedQuotes, simulatedSources } from "@assay/simulator";

const SEED = 1;
const SOURCES = new Map(simulatedSources.map((info) => [info.key, info]));

/** Feeds a bus until it is stopped. */
const feedMarket = async (bus: BusPort, clock: Clock): Promise<{ stop(): void }> => {
  const seqs = new Map<Instrument, number>();
  const tickOf = (instrument: Instrument, nowMs: number): Tick[] => {
    const price = compose(instrument, simulatedQuotes(instrument, nowMs, SEED), SOURCES, nowMs);
    if (!price) return [];
    const seq = (seqs.get(instrument) ?? 0) + 1;
    seqs.set(instrument, seq);
    return [{ ...price, seq }];
  };
  const publish = async (): Promise<void> => {
    const atMs = clock();
    const ticks = INSTRUMENTS.flatMap((instrument) => tickOf(instrument, atMs));
    await bus.publish({ kind: "moment", token: 1, atMs, ticks, bars: [], fx: [simulatedFx(atMs, SEED)] });
  };
  await publish();
  const timer = setInterval(() => void publish(), 1_000);
  return { stop: () => clearInterval(timer) };
};

const NEVER_REACHED = 100_000_000;

/** Its settings. */
export interface ApiSettings {
  readonly store: StoreSource;
  /** Where limits, counts and the bus are; in memory by default. */
  readonly redisUrl?: string;
}

/** What it reports once it serves. */
export interface ApiReady {
  readonly port: number;
  readonly url: string;
  /** A key of the tier pro. Its limits and those without a key are never reached; every request is still counted. */
  readonly key: string;
}

const quietLog = { ...silentLog, warn: console.error, error: console.error };

/** Starts it. */
export const start = async ({ store: source, redisUrl }: ApiSettings) => {
  const clock = machineTime;
  const store = await openStore(source);
  const live = await openLive({ redisUrl, prefix: "assay-bench:", clock, logger: quietLog });
  const { plaintext: key } = await createKey(
    store,
    { org: `bench ${process.pid}`, tier: "pro", name: "bench" },
    clock(),
    machineRandom,
  );
  const signingKeys = newSigningKeys().then(readSigningKeys);
  const api = await startApi({
    random: machineRandom,
    store,
    live,
    archives: openArchives({ kind: "file", directory: join(tmpdir(), "assay-no-archives") }),
    catalog: overlayCatalog({
      pro: { rate_limit_per_minute: NEVER_REACHED, monthly_quota: 2_000_000_000 },
      keyless: { per_minute: NEVER_REACHED, per_hour: NEVER_REACHED },
    }),
    clock,
    log: quietLog,
    configuredWriter: null,
    marketHours: false,
    historySunset: null,
    webhookHosts: new Set(),
    disabled: new Set(),
    trustProxy: [],
    host: "127.0.0.1",
    port: 0,
    maxPipelined: 32,
    publicUrl: undefined,
    signingKeys: { current: () => signingKeys },
  });
  const feed = await feedMarket(live.bus, clock);
  const ready: ApiReady = { url: api.url, port: Number(new URL(api.url).port), key };
  return {
    ready,
    close: async () => {
      feed.stop();
      await api.close(1_000);
      await live.close();
      await store.close();
    },
  };
};
