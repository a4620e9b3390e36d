/**
 * The counts as this process last saw them in Redis, which it continues from while Redis is down, and the calls it counted
 * meanwhile, which are added to the counts in Redis when it is back.
 */
import { randomUUID } from "node:crypto";
import type { Log } from "../log.ts";
import { deltaField, MemoryCounters } from "../memory/counters.ts";
import type { Reservation, UsageReading } from "../ports.ts";
import { Backlog } from "./backlog.ts";
import type { RedisClient, RedisConnection } from "./connection.ts";
import type { CountKeys } from "./count-keys.ts";
import { type LastCounts, LastSeen } from "./last-seen.ts";
import type { Counted } from "./scripts/readable.ts";

/** The counts of one process. */
export class LocalCounts {
  readonly #redis: RedisConnection;
  readonly #keys: CountKeys;
  readonly #log: Log;
  readonly #last = new LastSeen();
  readonly #backlog = new Backlog(randomUUID);
  /** The counts as last seen. */
  readonly seen = new MemoryCounters();
  #isAway = false;
  #absorbing: Promise<void> | null = null;

  constructor(redis: RedisConnection, keys: CountKeys, log: Log) {
    this.#redis = redis;
    this.#keys = keys;
    this.#log = log;
  }

  reserve(orgId: string, day: string, quota: number): Reservation {
    const counted = this.seen.reserve(orgId, day, quota);
    if (counted.allowed) this.#backlog.add(orgId, day, 1);
    return counted;
  }

  reserveLoaded(orgId: string, day: string, quota: number): Reservation | null {
    return this.seen.isSeeded(orgId, day) ? this.reserve(orgId, day, quota) : null;
  }

  readLoaded(orgId: string, day: string): Reservation | null {
    return this.seen.readLoaded(orgId, day);
  }

  refund(orgId: string, day: string): void {
    if (this.seen.read(orgId, day).today === 0) return;
    this.seen.refund(orgId, day);
    this.#backlog.add(orgId, day, -1);
  }

  /** Loads what the store has; no count falls below what was last seen. */
  seed(orgId: string, day: string, readStored: () => Promise<UsageReading>): Promise<void> {
    return this.seen.seed(orgId, day, async () => {
      const stored = await readStored();
      const { today, thisMonth } = this.last(orgId, day);
      return { today: Math.max(stored.today, today), thisMonth: Math.max(stored.thisMonth, thisMonth) };
    });
  }

  /** The counts last read from Redis, and the load they are based on. */
  last(orgId: string, day: string): LastCounts {
    return this.#last.read(orgId, day);
  }

  /** Adopts what Redis answered; counts without a load do not include the stored ones. */
  learn(orgId: string, day: string, counts: LastCounts): void {
    this.#isAway = false;
    if (counts.loading === "") this.seen.forget(orgId, day);
    else {
      this.seen.learn(orgId, day, counts);
      this.#last.note(orgId, day, counts);
    }
    void this.absorb();
  }

  noteAway(error: unknown): void {
    if (!this.#isAway) this.#log.warn({ err: error }, "redis is unreachable; counting calls in this process");
    this.#isAway = true;
  }

  /**
   * Runs a script of counts. What it found unreadable has been removed, and is said once.
   * @throws RedisAwayError as `RedisConnection.send` does
   */
  async run<T>(command: (client: RedisClient) => Promise<Counted<T>>): Promise<T> {
    try {
      return this.readable(await this.#redis.run(command));
    } catch (error) {
      this.noteAway(error);
      throw error;
    }
  }

  /** The value of a script of counts. */
  readable<T>({ value, unreadable }: Counted<T>): T {
    const kinds = [...new Set(unreadable)];
    if (kinds.length > 0) this.#log.error({ kinds, counts: unreadable.length }, "removed unreadable counts from redis");
    return value;
  }

  /** Flushes local counts to Redis, when there are any and Redis is up. */
  async absorb(): Promise<void> {
    if (!this.#redis.isReady || (this.#backlog.isEmpty && !this.seen.hasDeltas)) return;
    this.#absorbing ??= this.#sendBatch().finally(() => {
      this.#absorbing = null;
    });
    await this.#absorbing.catch(() => {});
  }

  async #sendBatch(): Promise<void> {
    const { id, counts, deltas } = this.#backlog.next(() => this.seen.drain());
    const { deltas: name } = this.#keys;
    const keys = [`${name}:absorbed:${id}`, name, ...counts.map(({ orgId, day }) => this.#keys.month(orgId, day))];
    const values = [
      counts.length,
      ...counts.flatMap(({ day, calls }) => [day, calls]),
      ...deltas.flatMap(({ orgId, day, calls }) => [deltaField(orgId, day), calls]),
    ];
    await this.run((client) => client.absorbCounts(keys, values));
    this.#backlog.arrived();
    this.#log.debug({ groups: counts.length }, "added the calls counted in this process to redis");
  }
}
