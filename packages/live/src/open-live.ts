/** Opens the live engines of a process: on Redis when configured, otherwise in memory. */
import type { Clock } from "@assay/ports";
import { type Log, silentLog } from "./log.ts";
import { MAX_WINDOWS, MemoryAdmissions, MemoryLimiter } from "./memory/admissions.ts";
import { MemoryBus } from "./memory/bus.ts";
import { MemoryCounters } from "./memory/counters.ts";
import { MemoryLatest } from "./memory/latest.ts";
import { MemoryLease } from "./memory/lease.ts";
import { MemoryPlaces } from "./memory/places.ts";
import type { CallWrapper, Live } from "./ports.ts";

export interface MemoryLiveOptions {
  readonly clock: Clock;
  readonly logger?: Log;
}

/** Opens the in-process engines. The writer, API and stream of the process must share them. */
export const openMemoryLive = ({ clock, logger = silentLog }: MemoryLiveOptions): Live => {
  const bus = new MemoryBus(logger);
  const counters = new MemoryCounters();
  return {
    kind: "memory",
    lease: new MemoryLease(clock),
    bus,
    latest: new MemoryLatest(),
    counters,
    admissions: new MemoryAdmissions(new MemoryLimiter(MAX_WINDOWS, clock), counters),
    places: new MemoryPlaces(),
    outage: () => null,
    close: async () => bus.close(),
  };
};

export interface LiveOptions {
  /** When omitted, everything stays in this process. */
  readonly redisUrl?: string | undefined;
  readonly prefix?: string;
  readonly clock: Clock;
  readonly logger?: Log;
  /** Runs each command of a shared engine, to time it. */
  readonly around?: CallWrapper | undefined;
}

export const openLive = async ({ redisUrl, around, ...options }: LiveOptions): Promise<Live> => {
  if (redisUrl === undefined) return openMemoryLive(options);
  // The client is the largest module of all; a process without Redis does not load it.
  const { openRedisLive } = await import("./redis/open.ts");
  return openRedisLive({ url: redisUrl, around, ...options });
};
