/** The live engines shared by many processes through one Redis or Valkey. */
import { silentLog } from "../log.ts";
import type { Clock, Live, LiveLog } from "../ports.ts";
import { RedisBus } from "./bus.ts";
import { type Patience, RedisConnection } from "./connection.ts";
import { RedisCounters } from "./counters.ts";
import { RedisLatest } from "./latest.ts";
import { RedisLease } from "./lease.ts";
import { RedisLimiter } from "./limiter.ts";
import { RedisPlaces } from "./places.ts";

/** A read of the bus may be silent for its five seconds of waiting. */
const BUS_SILENCE_MS = 12_000;

/** What the engines need. */
export interface RedisLiveOptions {
  /** `redis://` or `rediss://`; Redis from 6.2, or Valkey. */
  readonly url: string;
  /** Before every key; services that share a Redis have to differ in it. */
  readonly prefix?: string;
  readonly clock: Clock;
  readonly logger?: LiveLog;
  readonly patience?: Partial<Patience>;
  /** About how many events the bus keeps for readers that fell behind. */
  readonly busLength?: number;
}

/**
 * Opens the engines on Redis. With Redis away it answers all the same, after two seconds at most: commands then fail at
 * once, limits and counts go on in this process, and the connection is tried again for as long as it takes.
 */
export const openRedisLive = async (options: RedisLiveOptions): Promise<Live> => {
  const { url, prefix = "assay:", clock, logger: log = silentLog, patience = {}, busLength } = options;
  const redis = new RedisConnection({ url, log, role: "commands", patience });
  const openReader = () => new RedisConnection({ url, log, role: "bus", patience: { silenceMs: BUS_SILENCE_MS, ...patience } });
  const bus = new RedisBus({ redis, prefix, log, openReader, ...(busLength === undefined ? {} : { length: busLength }) });
  const places = new RedisPlaces(redis, prefix, log);
  await redis.opened();
  return {
    kind: "redis",
    lease: new RedisLease(redis, prefix, clock),
    bus,
    latest: new RedisLatest(redis, prefix),
    limiter: new RedisLimiter(redis, prefix),
    counters: new RedisCounters(redis, prefix, log),
    places,
    close: async () => {
      await places.close();
      await bus.close();
      await redis.close();
    },
  };
};
