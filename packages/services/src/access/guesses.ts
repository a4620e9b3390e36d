/**
 * Counts guessed keys by address before the store is queried. Only an unknown key passes through here, so keys in use and their
 * addresses are unaffected by any number of bad ones.
 */
import { MINUTE_MS } from "@assay/contract";
import type { AdmissionsPort, CallWindow } from "@assay/live";
import type { FailCounted } from "../call.ts";
import { exceeded } from "./allowance.ts";

/** Look-ups without a result allowed per minute and address. One bad key presented repeatedly is looked up every few seconds. */
const GUESSES_PER_MINUTE = 20;

const windowOf = (ip: string): CallWindow => ({ key: `guess:${ip}`, limit: GUESSES_PER_MINUTE, windowMs: MINUTE_MS });

/** The look-ups of one address. */
interface Lane {
  underWay: number;
  /** Completed look-ups: a window read before one of them is out of date. */
  ended: number;
  /** Callers waiting for a look-up to end, in order. */
  readonly waiting: (() => void)[];
  /** Callers in progress or waiting. */
  users: number;
}

/** Lets look-ups through while their address has guesses left, counting each one in progress as a guess. */
export class Guesses {
  readonly #admissions: AdmissionsPort;
  readonly #lanes = new Map<string, Lane>();

  constructor(admissions: AdmissionsPort) {
    this.#admissions = admissions;
  }

  /**
   * Waits for a turn.
   * @param fail receives rate_limit_exceeded, when the address has no guesses left
   * @returns a function that ends the turn
   */
  async enter(ip: string, nowMs: number, fail: FailCounted): Promise<() => void> {
    const lane = this.#lanes.get(ip) ?? { underWay: 0, ended: 0, waiting: [], users: 0 };
    this.#lanes.set(ip, lane);
    lane.users += 1;
    try {
      await this.#turn(lane, ip, nowMs, fail);
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

  async count(ip: string): Promise<void> {
    await this.#admissions.admit([windowOf(ip)], null);
  }

  async #turn(lane: Lane, ip: string, nowMs: number, fail: FailCounted): Promise<void> {
    for (;;) {
      const { ended } = lane;
      const minute = await this.#admissions.peek(windowOf(ip));
      if (!minute.allowed) return fail("rate_limit_exceeded", exceeded("minute", minute, nowMs), { minute });
      if (ended !== lane.ended) continue;
      if (lane.underWay < minute.remaining) break;
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    }
    lane.underWay += 1;
    // There may be room for the next in line as well.
    lane.waiting.shift()?.();
  }

  #leave(lane: Lane, ip: string): void {
    lane.users -= 1;
    if (lane.users === 0) this.#lanes.delete(ip);
    else lane.waiting.shift()?.();
  }
}
