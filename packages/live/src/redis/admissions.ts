/** Window and month in one step of a script in Redis; in this process while Redis is down. */
import type { Admission, AdmissionsPort, KeyedCall } from "../ports.ts";
import { windowFault } from "../window.ts";
import type { CallBatches } from "./call-batches.ts";
import type { RedisLimiter } from "./limiter.ts";
import type { LocalCounts } from "./local-counts.ts";

/** Counts on the windows of the limiter and the months of the counters. */
export class RedisAdmissions implements AdmissionsPort {
  readonly #batches: CallBatches;
  readonly #limiter: RedisLimiter;
  readonly #local: LocalCounts;

  constructor(batches: CallBatches, limiter: RedisLimiter, local: LocalCounts) {
    this.#batches = batches;
    this.#limiter = limiter;
    this.#local = local;
  }

  async admit({ key, limit, windowMs, orgId, day, quota, isMetered }: KeyedCall): Promise<Admission> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    const window = this.#limiter.window(key, limit, windowMs);
    const full = this.#limiter.knownFull(window);
    try {
      const month = { orgId, day, quota, mode: isMetered && !full ? "loaded" : "read" } as const;
      const counted = await this.#batches.count(full ? null : window, month);
      return { window: full ?? this.#limiter.noted(window, counted.window), usage: counted.usage };
    } catch (error) {
      this.#local.noteAway(error);
      const reading = full ?? this.#limiter.local.count(key, limit, windowMs);
      const isCounted = isMetered && reading.allowed;
      const usage = isCounted ? this.#local.reserveLoaded(orgId, day, quota) : this.#local.seen.readLoaded(orgId, day);
      return { window: reading, usage };
    }
  }
}
