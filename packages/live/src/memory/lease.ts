/** The lease within one process, under the same rules as across processes, so that a single writer is wired the same way. */
import type { Clock } from "@assay/ports";
import type { LeasePort, LeaseToken } from "../ports.ts";

/** One holder at a time among the writers of this process. */
export class MemoryLease implements LeasePort {
  readonly #clock: Clock;
  #held: LeaseToken | null = null;
  #counter = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async acquire(holder: string, ttlMs: number, floor: number): Promise<LeaseToken | null> {
    const standing = this.#standing();
    if (standing && standing.holder !== holder) return null;
    this.#counter = Math.max(this.#counter, floor) + 1;
    this.#held = { holder, token: this.#counter, expiresAtMs: this.#clock() + ttlMs };
    return this.#held;
  }

  async renew(held: LeaseToken, ttlMs: number): Promise<LeaseToken | null> {
    if (!this.#isHeldBy(held)) return null;
    this.#held = { holder: held.holder, token: held.token, expiresAtMs: this.#clock() + ttlMs };
    return this.#held;
  }

  async release(held: LeaseToken): Promise<void> {
    if (this.#isHeldBy(held)) this.#held = null;
  }

  async current(): Promise<LeaseToken | null> {
    return this.#standing();
  }

  #standing(): LeaseToken | null {
    return this.#held && this.#held.expiresAtMs > this.#clock() ? this.#held : null;
  }

  #isHeldBy(held: LeaseToken): boolean {
    const standing = this.#standing();
    return standing?.holder === held.holder && standing.token === held.token;
  }
}
