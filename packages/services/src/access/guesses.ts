/**
 * Guessed keys, counted by address before the store is asked: only a key nobody here knows or expects has to pass, so keys in use and
 * their addresses go on through any number of bad ones.
 */
import type { LimiterPort } from "@assay/live";
import { exceeded } from "./limits.ts";

const MINUTE_MS = 60_000;
/** Look-ups a minute and address that may find nothing. One bad key presented again and again is looked up every few seconds. */
const GUESSES_PER_MINUTE = 20;

/** The look-ups of one address. */
interface Lane {
  underWay: number;
  /** Look-ups that have ended: what was read of the window before one of them is out of date. */
  ended: number;
  /** Who waits for an end, in order. */
  readonly waiting: (() => void)[];
  /** Callers under way or waiting. */
  users: number;
}

/** Lets look-ups through while their address has guesses left, counting those under way as if each were one. */
export class Guesses {
  readonly #limiter: LimiterPort;
  readonly #lanes = new Map<string, Lane>();

  constructor(limiter: LimiterPort) {
    this.#limiter = limiter;
  }

  /**
   * Waits for a turn.
   * @returns ends the turn
   * @throws Refusal rate_limit_exceeded when the address has no guess left
   */
  async enter(ip: string, nowMs: number): Promise<() => void> {
    const lane = this.#lanes.get(ip) ?? { underWay: 0, ended: 0, waiting: [], users: 0 };
    this.#lanes.set(ip, lane);
    lane.users += 1;
    try {
      await this.#turn(lane, ip, nowMs);
    } catch (error) {
      this.#leave(lane, ip);
      throw error;
    }
    return () => {
      lane.underWay -= 1;
      lane.ended += 1;
      this.#leave(lane, ip);
    };
  }

  /** Counts a look-up that found nothing. */
  async count(ip: string): Promise<void> {
    await this.#limiter.consume(`guess:${ip}`, GUESSES_PER_MINUTE, MINUTE_MS);
  }

  async #turn(lane: Lane, ip: string, nowMs: number): Promise<void> {
    for (;;) {
      const { ended } = lane;
      const minute = await this.#limiter.peek(`guess:${ip}`, GUESSES_PER_MINUTE, MINUTE_MS);
      if (!minute.allowed) throw exceeded("rate_limit_exceeded", "minute", minute, nowMs, { minute });
      if (ended !== lane.ended) continue;
      if (lane.underWay < minute.remaining) break;
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    }
    lane.underWay += 1;
    // The next in line may find room as well.
    lane.waiting.shift()?.();
  }

  #leave(lane: Lane, ip: string): void {
    lane.users -= 1;
    if (lane.users === 0) this.#lanes.delete(ip);
    else lane.waiting.shift()?.();
  }
}
