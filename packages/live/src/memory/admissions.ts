/** Windows and month within one process, without a promise. */
import type { Admission, AdmissionsPort, CallMonth, CallWindow, LimitReading } from "../ports.ts";
import { windowFault } from "../window.ts";
import type { MemoryCounters } from "./counters.ts";
import type { MemoryLimiter } from "./limiter.ts";

type Months = Pick<MemoryCounters, "reserveLoaded" | "readLoaded">;

/** Counts in the windows and the months of the process. */
export class MemoryAdmissions implements AdmissionsPort {
  readonly #limiter: MemoryLimiter;
  readonly #counters: Months;

  constructor(limiter: MemoryLimiter, counters: Months) {
    this.#limiter = limiter;
    this.#counters = counters;
  }

  admit<const W extends readonly CallWindow[]>(windows: W, month: CallMonth | null): Promise<Admission<W>> | Admission<W> {
    const fault = windowFault(windows);
    if (fault) return Promise.reject(fault);
    const readings = this.#limiter.count(windows);
    if (!month) return { windows: readings, usage: null };
    const { orgId, day, quota, isMetered } = month;
    const counters = this.#counters;
    const isCounted = isMetered && readings.every(({ allowed }) => allowed);
    const usage = isCounted ? counters.reserveLoaded(orgId, day, quota) : counters.readLoaded(orgId, day);
    return { windows: readings, usage };
  }

  peek(window: CallWindow): Promise<LimitReading> | LimitReading {
    const fault = windowFault([window]);
    return fault ? Promise.reject(fault) : this.#limiter.read(window);
  }
}
