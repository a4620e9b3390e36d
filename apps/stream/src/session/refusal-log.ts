/** Logs connections refused before they had a valid key: anyone can cause such lines, so their rate is limited. */
import { MINUTE_MS } from "@assay/contract";
import type { Log } from "@assay/live";

const LINES_PER_MINUTE = 20;

/** Logs the first refusal of each minute; the others are counted and logged with the first of the next. */
export class RefusalLog {
  readonly #log: Pick<Log, "info">;
  readonly #elapsed: () => number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #leftOut = 0;

  /** @param elapsed a monotonic clock in milliseconds */
  constructor(log: Pick<Log, "info">, elapsed: () => number) {
    this.#log = log;
    this.#elapsed = elapsed;
  }

  /** Logs one, unless the minute's line was already written. */
  info(fields: Record<string, unknown>, message: string): void {
    const nowMs = this.#elapsed();
    if (nowMs - this.#sinceMs >= MINUTE_MS) {
      if (this.#leftOut > 0) this.#log.info({ count: this.#leftOut }, "closed more unauthenticated streams");
      this.#sinceMs = nowMs;
      this.#logged = 0;
      this.#leftOut = 0;
    }
    if (this.#logged >= LINES_PER_MINUTE) {
      this.#leftOut += 1;
      return;
    }
    this.#logged += 1;
    this.#log.info(fields, message);
  }
}
