/** Window and month within one process, without a promise. */
import type { Admission, AdmissionsPort, KeyedCall } from "../ports.ts";
import { windowFault } from "../window.ts";
import type { MemoryCounters } from "./counters.ts";
import type { MemoryLimiter } from "./limiter.ts";

/** Counts on the limiter and the counters of the process. */
export class MemoryAdmissions implements AdmissionsPort {
  readonly #limiter: MemoryLimiter;
  readonly #counters: MemoryCounters;

  constructor(limiter: MemoryLimiter, counters: MemoryCounters) {
    this.#limiter = limiter;
    this.#counters = counters;
  }

  admit({ key, limit, windowMs, orgId, day, quota, isMetered }: KeyedCall): Promise<Admission> | Admission {
    const fault = windowFault(windowMs);
    if (fault) return Promise.reject(fault);
    const window = this.#limiter.count(key, limit, windowMs);
    const counters = this.#counters;
    const usage = isMetered && window.allowed ? counters.reserveLoaded(orgId, day, quota) : counters.readLoaded(orgId, day);
    return { window, usage };
  }
}
