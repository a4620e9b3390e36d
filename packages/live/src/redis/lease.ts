/** The lease across processes: one key that expires by the Redis server's clock, and a counter of tokens. */
import type { Clock } from "@assay/ports";
import type { LeasePort, LeaseToken } from "../ports.ts";
import { DEFAULT_PATIENCE, type RedisConnection } from "./redis-connection.ts";

/** A request for a lease, or to extend it, must be answered while it can be repeated before the lease is over. */
const withinMs = (ttlMs: number): number => Math.min(DEFAULT_PATIENCE.commandMs, ttlMs / 4);

const written = (held: LeaseToken): string => `${held.token}:${held.holder}`;

/** One holder at a time among all processes that share a Redis. */
export class RedisLease implements LeasePort {
  readonly #redis: RedisConnection;
  readonly #clock: Clock;
  readonly #lease: string;
  readonly #counter: string;

  constructor(redis: RedisConnection, prefix: string, clock: Clock) {
    this.#redis = redis;
    this.#clock = clock;
    this.#lease = `${prefix}lease`;
    this.#counter = `${prefix}lease:token`;
  }

  async acquire(holder: string, ttlMs: number, floor: number): Promise<LeaseToken | null> {
    // Measured from before the request was sent, so that the holder never believes longer than Redis does.
    const expiresAtMs = this.#clock() + ttlMs;
    const token = await this.#redis.run(
      (client) => client.acquireLease([this.#lease, this.#counter], [holder, ttlMs, floor]),
      withinMs(ttlMs),
    );
    return token === null ? null : { holder, token, expiresAtMs };
  }

  async renew(held: LeaseToken, ttlMs: number): Promise<LeaseToken | null> {
    const expiresAtMs = this.#clock() + ttlMs;
    const renewed = await this.#redis.run((client) => client.renewLease([this.#lease], [written(held), ttlMs]), withinMs(ttlMs));
    return renewed ? { holder: held.holder, token: held.token, expiresAtMs } : null;
  }

  async release(held: LeaseToken): Promise<void> {
    await this.#redis.run((client) => client.releaseLease([this.#lease], [written(held)]));
  }

  async current(): Promise<LeaseToken | null> {
    // Plain commands, not a script: who may only read the lease may not run scripts on it.
    const [standing, leftMs] = await this.#redis.run((client) => client.multi().get(this.#lease).pTTL(this.#lease).execTyped());
    if (standing === null) return null;
    const colon = standing.indexOf(":");
    return {
      holder: standing.slice(colon + 1),
      token: Number(standing.slice(0, colon)),
      expiresAtMs: this.#clock() + leftMs,
    };
  }
}
