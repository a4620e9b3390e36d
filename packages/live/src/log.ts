/**
 * The logger of the house, and a quiet log of failures that last: a line when one begins, one when its cause changes, one when it
 * is over, and in between one every few hours.
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
/** A failure that lasts this long is logged, however often it came and went before. */
const LASTS_MS = 30_000;
/** After a failure is over, shorter ones within this time are counted but not logged; the pause doubles while they keep coming. */
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

/** Why something fails, without a stack. */
export interface Why {
  /** One word, the same as long as the cause is. */
  readonly class: string;
  readonly reason: string;
  readonly [field: string]: unknown;
}

/** One thing that fails and recovers, any number of times. */
export class Outage {
  readonly #options: OutageOptions;
  #sinceMs: number | null = null;
  /** Why it fails now; null while it does not. */
  #why: Why | null = null;
  /** When it was last logged as failing, and with which cause; null while it is not, or while that was left out. */
  #logged: { readonly atMs: number; readonly cause: string } | null = null;
  /** Failures since the last line about any. */
  #failures = 0;
  #quietUntilMs = Number.NEGATIVE_INFINITY;
  #failedMs = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;
  /** How long after a line another cause is logged; doubles, because causes may alternate. */
  #causePauseMs = LASTS_MS;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#sinceMs !== null;
  }

  /** The class of the present cause; null while nothing fails. */
  get class(): string | null {
    return this.#why?.class ?? null;
  }

  /**
   * Counts a failure.
   * @param why null for a consequence of what failed before, such as a call that was not even tried
   * @param cause what distinguishes causes, where the class is too coarse
   */
  failed(why: Why | null, cause: string | undefined = why?.class): void {
    const nowMs = this.#options.clock();
    if (nowMs - this.#failedMs >= REMIND_EVERY_MS) this.#pauseMs = FIRST_PAUSE_MS;
    this.#failedMs = nowMs;
    this.#sinceMs ??= nowMs;
    this.#why = why ?? this.#why;
    this.#failures += 1;
    this.#write(nowMs, cause ?? this.#logged?.cause ?? "");
  }

  /** Logs it, if it is time. */
  #write(nowMs: number, cause: string): void {
    const { lines, log } = this.#options;
    if (this.#logged === null) {
      if (nowMs < this.#quietUntilMs && nowMs - (this.#sinceMs ?? nowMs) < LASTS_MS) return;
      log.warn({ ...lines.fields, ...this.#why, ...(this.#failures > 1 ? { failures: this.#failures } : {}) }, lines.begins);
      this.#causePauseMs = LASTS_MS;
    } else {
      const sinceLineMs = nowMs - this.#logged.atMs;
      const isOther = cause !== this.#logged.cause && sinceLineMs >= this.#causePauseMs;
      if (!isOther && sinceLineMs < REMIND_EVERY_MS) return;
      log.warn({ ...lines.fields, ...this.#why, ...this.#extent(nowMs) }, lines.lasts);
      if (isOther) this.#causePauseMs = Math.min(2 * this.#causePauseMs, REMIND_EVERY_MS);
    }
    this.#logged = { atMs: nowMs, cause };
    this.#failures = 0;
  }

  recovered(): void {
    if (this.#sinceMs === null) return;
    const nowMs = this.#options.clock();
    const { lines, log } = this.#options;
    const extent = this.#extent(nowMs);
    this.#sinceMs = null;
    this.#why = null;
    if (this.#logged === null) return;
    log.info({ ...lines.fields, ...extent }, lines.ends);
    this.#logged = null;
    this.#failures = 0;
    this.#quietUntilMs = nowMs + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, REMIND_EVERY_MS);
  }

  /** How long it has lasted, and the failures since the last line. */
  #extent(nowMs: number): { readonly seconds: number; readonly failures: number } {
    return { seconds: Math.round((nowMs - (this.#sinceMs ?? nowMs)) / 1_000), failures: this.#failures };
  }
}
