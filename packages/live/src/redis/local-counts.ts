/**
 * The counts as this process last saw them in Redis, which it continues from while Redis is down, and the calls it counted
 * meanwhile, which are added to the counts in Redis when it is back.
 */
import { randomUUID } from "node:crypto";
import type { Log } from "../log.ts";
import { deltaField, MemoryCounters } from "../memory/counters.ts";
import type { CallWindow, Reservation, UsageDelta, UsageReading } from "../ports.ts";
import type { RedisClient, RedisConnection } from "./redis-connection.ts";
import type { Counted } from "./scripts/script.ts";

/**
 * A number per window, which expires with it; a hash per organisation and month, one hash of unsettled deltas, and what is under way
 * to the store.
 */
export class CountKeys {
  readonly #limit: string;
  readonly #usage: string;
  readonly deltas: string;
  /** Batches in transit to the store, and the number of batches that arrived. */
  readonly moving: string;
  readonly moved: string;

  constructor(prefix: string) {
    this.#limit = `${prefix}limit:`;
    this.#usage = `${prefix}usage:`;
    this.deltas = `${this.#usage}deltas`;
    this.moving = `${this.#usage}moving`;
    this.moved = `${this.#usage}moved`;
  }

  window({ key, windowMs }: CallWindow): string {
    return `${this.#limit}${windowMs}:${key}`;
  }

  month(orgId: string, day: string): string {
    return `${this.#usage}${day.slice(0, 7)}:${orgId}`;
  }
}

/** Counts as read, and the id of the load they are based on. */
interface LastCounts extends UsageReading {
  readonly loading: string;
}

interface Noted extends LastCounts {
  readonly day: string;
}

/** Months kept: a call may end after its month has ended. */
const MONTHS = 2;

const NEVER: LastCounts = { loading: "", today: 0, thisMonth: 0 };
const monthOf = (day: string): string => day.slice(0, 7);

/**
 * Readings by organisation and month. When Redis has lost its data, the counts loaded from the store lack the unsettled calls; no
 * count falls below what a process last saw.
 */
class LastSeen {
  readonly #byMonth = new Map<string, Map<string, Noted>>();

  note(orgId: string, day: string, { loading, today, thisMonth }: LastCounts): void {
    let month = this.#byMonth.get(monthOf(day));
    if (!month) {
      month = new Map();
      this.#byMonth.set(monthOf(day), month);
      const newestFirst = [...this.#byMonth.keys()].sort().reverse();
      for (const old of newestFirst.slice(MONTHS)) this.#byMonth.delete(old);
    }
    month.set(orgId, { loading, today, thisMonth, day });
  }

  read(orgId: string, day: string): LastCounts {
    const noted = this.#byMonth.get(monthOf(day))?.get(orgId);
    if (!noted) return NEVER;
    return noted.day === day ? noted : { ...noted, today: 0 };
  }
}

/** A batch for Redis; its id ensures it is added only once. */
interface Batch {
  readonly id: string;
  readonly counts: readonly UsageDelta[];
  /** Deltas to add to the unsettled ones. */
  readonly deltas: readonly UsageDelta[];
}

/** Calls counted while Redis was down, by organisation and day, handed out in batches. */
class Backlog {
  readonly #counts = new Map<string, UsageDelta>();
  #batch: Batch | null = null;

  get isEmpty(): boolean {
    return this.#batch === null && this.#counts.size === 0;
  }

  /** Records calls that Redis has not counted. */
  add(orgId: string, day: string, calls: number): void {
    const key = `${day}|${orgId}`;
    const noted = this.#counts.get(key)?.calls ?? 0;
    this.#counts.set(key, { orgId, day, calls: noted + calls });
  }

  /**
   * The next batch to send; the same one again until it is confirmed.
   * @param takeDeltas hands over the deltas that belong to a new batch
   */
  next(takeDeltas: () => readonly UsageDelta[]): Batch {
    if (!this.#batch) {
      const counts = [...this.#counts.values()].filter(({ calls }) => calls !== 0);
      this.#counts.clear();
      this.#batch = { id: randomUUID(), counts, deltas: takeDeltas() };
    }
    return this.#batch;
  }

  arrived(): void {
    this.#batch = null;
  }
}

export class LocalCounts {
  readonly #redis: RedisConnection;
  readonly #keys: CountKeys;
  readonly #log: Log;
  readonly #last = new LastSeen();
  readonly #backlog = new Backlog();
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
