/** The time of a term, which never goes back however the clock is set. */
import { SECOND_MS } from "@assay/contract";
import { computesAfterMs } from "@assay/live";
import type { Clock } from "@assay/ports";
import type { WriterLog } from "../writer-log.ts";

/**
 * How long until the whole second after an instant that was handled, in milliseconds: none when that second has passed, because
 * a write took long, and a moment when the timer fired early. Otherwise its tick would wait for the second after.
 * @param nowMs the time now; it may be before `handledMs` if the clock was set back, and then the wait is one second
 */
export const untilNextSecondMs = (handledMs: number, nowMs: number): number => {
  const dueMs = (Math.floor(handledMs / SECOND_MS) + 1) * SECOND_MS;
  return Math.min(SECOND_MS, Math.max(0, dueMs - nowMs));
};

/**
 * Whether a moment is to be committed: each one, or once in each interval of several seconds.
 * @param committedMs when one last was
 * @param everyMs the length of an interval; every second when omitted
 */
export const isCommitDue = (nowMs: number, committedMs: number, everyMs: number = SECOND_MS): boolean =>
  everyMs <= SECOND_MS || Math.floor(nowMs / everyMs) !== Math.floor(committedMs / everyMs);

/**
 * What an instant means for the term: it goes on; it waits until the clock has caught up, which it may only just have begun to
 * (`back`); or it is over, because that would take too long.
 */
type Course = "on" | "waits" | "back" | "over";

export class TermClock {
  readonly #clock: Clock;
  readonly #log: Pick<WriterLog, "info">;
  #handledMs: number;
  #waits = false;

  /** @param nowMs when the term begins */
  constructor(clock: Clock, log: Pick<WriterLog, "info">, nowMs: number) {
    this.#clock = clock;
    this.#log = log;
    this.#handledMs = nowMs;
  }

  get handledMs(): number {
    return this.#handledMs;
  }

  /** The time that bars are at: not before what was handled. */
  now(): number {
    return Math.max(this.#clock(), this.#handledMs);
  }

  /** Continues after the newest stored tick, unless that is so far ahead that it is of another time. */
  continueAfter(lastTickMs: number, nowMs: number): void {
    if (computesAfterMs(lastTickMs, nowMs) === Number.NEGATIVE_INFINITY) return;
    this.#handledMs = lastTickMs;
    this.wait(nowMs);
  }

  /** Waits until the clock has passed what was handled. */
  wait(nowMs: number): void {
    this.#waits = true;
    const seconds = Math.ceil((this.#handledMs - nowMs) / SECOND_MS);
    this.#log.info("the clock is behind the newest tick; waiting until it catches up", { seconds });
  }

  /** Looks at the clock: whether the term goes on at an instant. */
  look(nowMs: number): Course {
    if (nowMs > this.#handledMs || (nowMs === this.#handledMs && !this.#waits)) return "on";
    const isFar = nowMs < this.#handledMs && computesAfterMs(this.#handledMs, nowMs) === Number.NEGATIVE_INFINITY;
    if (isFar) this.#log.info("the clock is too far behind to wait; starting over at its time", {});
    return isFar ? "over" : this.#waits ? "waits" : "back";
  }

  handled(nowMs: number): void {
    this.#handledMs = nowMs;
    this.#waits = false;
  }
}
