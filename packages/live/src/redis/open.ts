/** The live engines shared by many processes through one Redis or Valkey. */
import type { Clock } from "@assay/ports";
import { type Log, silentLog } from "../log.ts";
import { MAX_WINDOWS, MemoryAdmissions, MemoryLimiter } from "../memory/admissions.ts";
import type { CallWrapper, Live } from "../ports.ts";
import { RedisAdmissions } from "./admissions.ts";
import { RedisBus } from "./bus.ts";
import { CallBatches } from "./call-batches.ts";
import { RedisCounters } from "./counters.ts";
import { RedisLatest } from "./latest.ts";
import { RedisLease } from "./lease.ts";
import { CountKeys, LocalCounts } from "./local-counts.ts";
import { RedisPlaces } from "./places.ts";
import { type Patience, RedisConnection } from "./redis-connection.ts";
import { RedisOutage } from "./redis-outage.ts";

/** A read of the bus may stay silent for its five-second block. */
const BUS_SILENCE_MS = 12_000;

interface RedisLiveOptions {
  /** `redis://` or `rediss://`; Redis from 6.2, or Valkey. */
  readonly url: string;
  /** Prefix of every key; services that share a Redis need different ones. */
  readonly prefix?: string;
  readonly clock: Clock;
  readonly logger?: Log;
  readonly patience?: Partial<Patience>;
  /** Runs each command, to time it; reads of the bus, which wait for an event, are not among them. */
  readonly around?: CallWrapper | undefined;
  /** Approximate number of events the bus keeps for readers that fell behind. */
  readonly busLength?: number;
}

/**
 * Opens the engines on Redis. When Redis is down it still returns, after two seconds at most: commands then fail immediately,
 * limits and counts continue in this process, and reconnecting goes on indefinitely.
 */
export const openRedisLive = async (options: RedisLiveOptions): Promise<Live> => {
  const { url, prefix = "assay:", clock, logger: log = silentLog, patience = {}, busLength, around } = options;
  const outage = new RedisOutage(log, clock);
  const redis = new RedisConnection({ url, outage, role: "commands", patience, around });
  const openReader = () =>
    new RedisConnection({ url, outage, role: "bus", patience: { silenceMs: BUS_SILENCE_MS, ...patience } });
  const bus = new RedisBus({ redis, prefix, log, openReader, ...(busLength === undefined ? {} : { length: busLength }) });
  const places = new RedisPlaces(redis, prefix, log);
  const keys = new CountKeys(prefix);
  const local = new LocalCounts(redis, keys, log);
  const batches = new CallBatches(redis, keys, local);
  const alone = new MemoryAdmissions(new MemoryLimiter(MAX_WINDOWS, clock), local);
  await redis.opened();
  return {
    kind: "redis",
    lease: new RedisLease(redis, prefix, clock),
    bus,
    latest: new RedisLatest(redis, prefix),
    counters: new RedisCounters(keys, batches, local),
    admissions: new RedisAdmissions({ counts: local, keys, batches, local: alone }),
    places,
    outage: () => outage.class,
    close: async () => {
      await places.close();
      await bus.close();
      await redis.close();
    },
  };
};
