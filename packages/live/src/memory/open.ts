/** The live engines of a single process. */
import { silentLog } from "../log.ts";
import type { Clock, Live, LiveLog } from "../ports.ts";
import { MemoryBus } from "./bus.ts";
import { MemoryCounters } from "./counters.ts";
import { MemoryLatest } from "./latest.ts";
import { MemoryLease } from "./lease.ts";
import { MemoryLimiter } from "./limiter.ts";
import { MemoryPlaces } from "./places.ts";

/** What the in-process engines need. */
export interface MemoryLiveOptions {
  readonly clock: Clock;
  readonly logger?: LiveLog;
}

/** Opens the in-process engines. Writer, API and stream of the process have to share them. */
export const openMemoryLive = ({ clock, logger = silentLog }: MemoryLiveOptions): Live => {
  const bus = new MemoryBus(logger);
  return {
    kind: "memory",
    lease: new MemoryLease(clock),
    bus,
    latest: new MemoryLatest(),
    limiter: new MemoryLimiter(),
    counters: new MemoryCounters(),
    places: new MemoryPlaces(),
    close: async () => bus.close(),
  };
};
