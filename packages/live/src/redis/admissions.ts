/** Windows and month in one step of a script in Redis; in this process while Redis is down. */
import { type MemoryAdmissions, windowFault } from "../memory/admissions.ts";
import type { Admission, AdmissionsPort, CallMonth, CallWindow, LimitReading } from "../ports.ts";
import type { CallBatches } from "./call-batches.ts";
import type { CountKeys, LocalCounts } from "./local-counts.ts";

interface AdmissionsParts {
  readonly counts: LocalCounts;
  readonly keys: CountKeys;
  readonly batches: CallBatches;
  /** The windows and months of this process. */
  readonly local: MemoryAdmissions;
}

/**
 * Limits and quotas across processes. While Redis is down each process counts windows from zero, so that a caller may use its limit
 * once per process, and months from the counts that it saw last.
 */
export class RedisAdmissions implements AdmissionsPort {
  readonly #parts: AdmissionsParts;

  constructor(parts: AdmissionsParts) {
    this.#parts = parts;
  }

  async admit<const W extends readonly CallWindow[]>(windows: W, month: CallMonth | null): Promise<Admission<W>> {
    const fault = windowFault(windows);
    if (fault) throw fault;
    const { batches, local } = this.#parts;
    try {
      if (!month) return await batches.count(windows, null);
      const { orgId, day, quota, isMetered } = month;
      return await batches.count(windows, { orgId, day, quota, mode: isMetered ? "reserveLoaded" : "readLoaded" });
    } catch {
      return local.admit(windows, month);
    }
  }

  async peek(window: CallWindow): Promise<LimitReading> {
    const fault = windowFault([window]);
    if (fault) throw fault;
    const { counts, keys, local } = this.#parts;
    const { limit, windowMs } = window;
    try {
      const { used, leftMs } = await counts.run((client) => client.readWindow([keys.window(window)], [windowMs]));
      const remaining = Math.max(0, limit - used);
      return { allowed: remaining > 0, limit, remaining, resetInMs: leftMs };
    } catch {
      return local.peek(window);
    }
  }
}
