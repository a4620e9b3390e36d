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
interface AddressQueue {
  running: number;
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
  readonly #queues = new Map<string, AddressQueue>();

  constructor(admissions: AdmissionsPort) {
    this.#admissions = admissions;
  }

  /**
   * Waits for a turn.
   * @param fail receives rate_limit_exceeded, when the address has no guesses left
   * @returns a function that ends the turn
   */
  async enter(ip: string, nowMs: number, fail: FailCounted): Promise<() => void> {
    const queue = this.#queues.get(ip) ?? { running: 0, ended: 0, waiting: [], users: 0 };
    this.#queues.set(ip, queue);
    queue.users += 1;
    try {
      await this.#turn(queue, ip, nowMs, fail);
    } catch (error) {
      this.#leave(queue, ip);
      throw error;
    }
    return () => {
      queue.running -= 1;
      queue.ended += 1;
      this.#leave(queue, ip);
    };
  }

  async count(ip: string): Promise<void> {
    await this.#admissions.admit([windowOf(ip)], null);
  }

  async #turn(queue: AddressQueue, ip: string, nowMs: number, fail: FailCounted): Promise<void> {
    for (;;) {
      const { ended } = queue;
      const minute = await this.#admissions.peek(windowOf(ip));
      if (!minute.allowed) return fail("rate_limit_exceeded", exceeded("minute", minute, nowMs), { minute });
      if (ended !== queue.ended) continue;
      if (queue.running < minute.remaining) break;
      await new Promise<void>((resolve) => queue.waiting.push(resolve));
    }
    queue.running += 1;
    // There may be room for the next in line as well.
    queue.waiting.shift()?.();
  }

  #leave(queue: AddressQueue, ip: string): void {
    queue.users -= 1;
    if (queue.users === 0) this.#queues.delete(ip);
    else queue.waiting.shift()?.();
  }
}
