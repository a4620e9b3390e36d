/** How many requests are under way at once: as many as the client allows, and no more than the service has left for it. */
import { inTime } from "./attempt.ts";
import { onAbort } from "./on-abort.ts";
import { LONGEST_WAIT_MS, type RateLimit, readRateLimit } from "./rate-limit.ts";
import type { Clock } from "./runtime.ts";

/** What the service reported last of the window that refills soonest. */
interface Allowance {
  readonly remaining: number;
  readonly resetsAtMs: number;
}

const allowanceOf = ({ windows }: RateLimit, nowMs: number): Allowance | null => {
  const window = windows.minute ?? windows.hour;
  return window ? { remaining: window.remaining, resetsAtMs: nowMs + window.resetsInSeconds * 1_000 } : null;
};

/** Requests pass one at a time, in the order they came. */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #clock: Clock;
  #underWay = 0;
  #allowance: Allowance | null = null;
  #turn: Promise<void> = Promise.resolve();
  #wake: (() => void) | null = null;

  /** @param most the most requests under way */
  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /**
   * Waits for a place.
   * @param what method and path, for errors
   * @throws RequestAbortedError when the signal aborts the wait
   */
  enter(signal: AbortSignal | undefined, what: string): Promise<void> {
    const bounds = { timeoutMs: Number.POSITIVE_INFINITY, missing: "No turn", signal, what };
    return inTime(bounds, async ({ signal: leaving }) => {
      const before = this.#turn;
      let pass = (): void => undefined;
      this.#turn = new Promise((resolve) => {
        pass = resolve;
      });
      try {
        await before;
        while (!leaving.aborted && !(await this.#isFree(leaving)));
        if (!leaving.aborted) this.#underWay += 1;
      } finally {
        pass();
      }
    });
  }

  /** Gives a place back. @param headers of the answer, if there was one */
  leave(headers: Headers | null): void {
    this.#underWay -= 1;
    const limit = headers && readRateLimit(headers);
    if (limit) this.#allowance = allowanceOf(limit, this.#clock.nowMs());
    this.#wake?.();
  }

  /** Whether one more may be sent; it answers once it may, or a place was given back. */
  async #isFree(leaving: AbortSignal): Promise<boolean> {
    const { remaining, resetsAtMs } = this.#allowance ?? { remaining: Number.POSITIVE_INFINITY, resetsAtMs: 0 };
    const untilResetMs = resetsAtMs - this.#clock.nowMs();
    // A wait that is longer than a retry's is the caller's to decide on: the service refuses, and says until when.
    const isHeld = remaining <= this.#underWay && untilResetMs > 0 && untilResetMs <= LONGEST_WAIT_MS;
    if (this.#underWay < this.#most && !isHeld) return true;
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        onAbort(leaving, resolve);
      });
      return false;
    }
    await this.#clock.sleep(untilResetMs, leaving).catch(() => undefined);
    this.#allowance = null;
    return true;
  }
}
