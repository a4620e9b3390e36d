/**
 * The logger of the house, and a quiet log of failures that last: a line when one begins, one when it is over, and in between
 * one every few hours.
 */
import type { Clock } from "@assay/ports";

/** Logs what happened: fields first, then a sentence; never a secret. Any pino logger fits. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const HOUR_MS = 3_600_000;

/** How often a failure that lasts is logged again. */
export const REMIND_EVERY_MS = 4 * HOUR_MS;
/** After a failure is over, a new one within this time is counted but not logged; the pause doubles while they keep coming. */
const FIRST_PAUSE_MS = 60_000;

interface OutageLines {
  /** What fails, as fields of every line. */
  readonly fields: Record<string, unknown>;
  readonly begins: string;
  readonly lasts: string;
  readonly ends: string;
}

interface OutageOptions {
  readonly log: Log;
  readonly clock: Clock;
  readonly lines: OutageLines;
}

/** One thing that fails and recovers, any number of times. */
export class Outage {
  readonly #options: OutageOptions;
  #sinceMs: number | null = null;
  /** When it was last logged as failing; null while it is not, or while that was left out. */
  #loggedMs: number | null = null;
  /** Failures since the last line about any. */
  #failures = 0;
  #quietUntilMs = Number.NEGATIVE_INFINITY;
  #failedMs = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#sinceMs !== null;
  }

  /**
   * Counts a failure.
   * @param why fields that explain it, without a stack
   */
  failed(why: Record<string, unknown>): void {
    const nowMs = this.#options.clock();
    if (nowMs - this.#failedMs >= REMIND_EVERY_MS) this.#pauseMs = FIRST_PAUSE_MS;
    this.#failedMs = nowMs;
    this.#sinceMs ??= nowMs;
    this.#failures += 1;
    const { lines, log } = this.#options;
    if (this.#loggedMs === null) {
      if (nowMs < this.#quietUntilMs) return;
      log.warn({ ...lines.fields, ...why, ...(this.#failures > 1 ? { failures: this.#failures } : {}) }, lines.begins);
    } else if (nowMs - this.#loggedMs >= REMIND_EVERY_MS) {
      log.warn({ ...lines.fields, ...why, ...this.#extent(nowMs) }, lines.lasts);
    } else return;
    this.#loggedMs = nowMs;
    this.#failures = 0;
  }

  recovered(): void {
    if (this.#sinceMs === null) return;
    const nowMs = this.#options.clock();
    const { lines, log } = this.#options;
    const extent = this.#extent(nowMs);
    this.#sinceMs = null;
    if (this.#loggedMs === null) return;
    log.info({ ...lines.fields, ...extent }, lines.ends);
    this.#loggedMs = null;
    this.#failures = 0;
    this.#quietUntilMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, REMIND_EVERY_MS);
  }

  /** How long it has lasted, and the failures since the last line. */
  #extent(nowMs: number): { readonly seconds: number; readonly failures: number } {
    return { seconds: Math.round((nowMs - (this.#sinceMs ?? nowMs)) / 1_000), failures: this.#failures };
  }
}
