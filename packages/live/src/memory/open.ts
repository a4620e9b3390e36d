/** The live engines of a single process. */
import { type Log, silentLog } from "../log.ts";
import type { Clock, Live } from "../ports.ts";
import { MemoryAdmissions } from "./admissions.ts";
import { MemoryBus } from "./bus.ts";
import { MemoryCounters } from "./counters.ts";
import { MemoryLatest } from "./latest.ts";
import { MemoryLease } from "./lease.ts";
import { MAX_WINDOWS, MemoryLimiter } from "./limiter.ts";
import { MemoryPlaces } from "./places.ts";

/** Options of the in-process engines. */
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
    isAway: () => false,
    close: async () => bus.close(),
  };
};
