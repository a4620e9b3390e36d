/**
 * Two rules of a term beside the lease's machine: when a leader whose writes fail gives way, and from when a new one computes.
 * @see docs/specs/writer-lease.md
 */
import type { LeaseTiming } from "./writer-lease.ts";

/** A newest tick this far ahead of the clock is of a writer whose clock was ahead; beyond that it is of another time. */
const MOST_AHEAD_MS = 300_000;

/**
 * The instant until which a new leader computes nothing, so that time never goes back when its clock is behind its predecessor's.
 * @param newestTickMs the newest stored tick's instant
 * @param nowMs the new leader's clock
 * @returns -Infinity when it need not wait
 */
export const computesAfterMs = (newestTickMs: number, nowMs: number): number =>
  newestTickMs > nowMs && newestTickMs - nowMs <= MOST_AHEAD_MS ? newestTickMs : Number.NEGATIVE_INFINITY;

/** Since when the last announcement is known; undefined before the first look. */
interface Announced {
  readonly text: string | null;
  readonly changedMs: number;
}

/**
 * A leader's writes that fail. It steps down after a whole lease of them if a standby reaches the store, which standbys announce
 * at each request for the lease; without one it keeps what it could not write. Announcements are compared with each other, never
 * with a clock: those of two machines may differ by minutes.
 */
export class Handover {
  #failingSinceMs: number | null = null;
  #last: Announced | undefined;

  wrote(): void {
    this.#failingSinceMs = null;
    this.#last = undefined;
  }

  /**
   * A write failed because the store does not answer.
   * @param announced the newest announcement of a standby; null when there is none, or it cannot be read
   * @param nowMs the leader's clock
   * @returns whether to step down
   */
  failed(announced: string | null, nowMs: number, { ttlMs }: LeaseTiming): boolean {
    this.#failingSinceMs ??= nowMs;
    if (this.#last === undefined) this.#last = { text: announced, changedMs: Number.NEGATIVE_INFINITY };
    else if (this.#last.text !== announced) this.#last = { text: announced, changedMs: nowMs };
    const hasStandby = announced !== null && nowMs - this.#last.changedMs <= ttlMs / 2;
    return hasStandby && nowMs - this.#failingSinceMs >= ttlMs;
  }
}
