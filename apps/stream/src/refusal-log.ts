/** The log of connections that were ended before they had a key: anybody can make such lines, so a minute holds few of them. */
import type { StreamLog } from "./connection.ts";

const MINUTE_MS = 60_000;
const LINES_PER_MINUTE = 20;

/** Logs the first of each minute; of the others it logs how many there were, with the first of the next. */
export class RefusalLog {
  readonly #log: Pick<StreamLog, "info">;
  readonly #elapsed: () => number;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #logged = 0;
  #leftOut = 0;

  /** @param elapsed milliseconds that only pass */
  constructor(log: Pick<StreamLog, "info">, elapsed: () => number) {
    this.#log = log;
    this.#elapsed = elapsed;
  }

  /** Logs one, unless the minute has had its lines. */
  info(fields: Record<string, unknown>, message: string): void {
    const nowMs = this.#elapsed();
    if (nowMs - this.#sinceMs >= MINUTE_MS) {
      if (this.#leftOut > 0) this.#log.info({ count: this.#leftOut }, "more streams were ended before they had a key");
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
