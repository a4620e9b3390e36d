/**
 * Exact counts of metered calls across processes.
 *
 * While Redis answers, quotas are exact: comparing and counting happen in one script. While it is down each process continues
 * from the counts it saw last and records its calls; when Redis is back they are added to its counts, once. So no call goes
 * uncounted, and a quota is exceeded at most by what the other processes allowed in the meantime. A call whose reply was lost as
 * Redis went down may be counted twice. When Redis loses its data, counts are reloaded from the store before the next call is
 * counted, and never fall below what this process last saw: the loss is limited to what only other processes counted since their
 * last settlement, and lasts until they count again.
 *
 * A settlement takes a batch out of the deltas and marks it as in transit, and marks it again once the store has it. Counts are
 * loaded only when no batch was in transit while the store was read, so that every call is either in the store or in the deltas.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { daysOfMonth, deltaField, MemoryCounters, readDeltas } from "../memory/counters.ts";
import type { CountersPort, Reservation, UsageDelta, UsageReading } from "../ports.ts";
import { Backlog } from "./backlog.ts";
import type { RedisConnection } from "./connection.ts";
import { type LastCounts, LastSeen } from "./last-seen.ts";

/** How many times, and at which interval, to wait for a moment without a settlement before loading counts regardless. */
const MOST_LOOKS = 100;
const LOOK_AGAIN_MS = 10;

/** A hash per organisation and month, and one hash of unsettled deltas. */
export class RedisCounters implements CountersPort {
  readonly #redis: RedisConnection;
  readonly #log: Log;
  readonly #prefix: string;
  readonly #deltas: string;
  /** Batches in transit to the store, and the number of batches that arrived. */
  readonly #moving: string;
  readonly #moved: string;
  /** The counts as last seen, which this process continues from while Redis is down. */
  readonly #seen = new MemoryCounters();
  readonly #last = new LastSeen();
  readonly #backlog = new Backlog(randomUUID);
  #isAway = false;
  #absorbing: Promise<void> | null = null;
  #settling: Promise<void> = Promise.resolve();
  /** The next batch; one whose reply was lost is requested again. */
  #batchId: string = randomUUID();

  constructor(redis: RedisConnection, prefix: string, log: Log) {
    this.#redis = redis;
    this.#log = log;
    this.#prefix = `${prefix}usage:`;
    this.#deltas = `${this.#prefix}deltas`;
    this.#moving = `${this.#prefix}moving`;
    this.#moved = `${this.#prefix}moved`;
  }

  async reserve(orgId: string, day: string, quota: number): Promise<Reservation> {
    const counted = await this.#reserveInRedis(orgId, day, quota, false);
    return counted === "away" || counted === null ? this.#reserveHere(orgId, day, quota) : counted;
  }

  async reserveLoaded(orgId: string, day: string, quota: number): Promise<Reservation | null> {
    const counted = await this.#reserveInRedis(orgId, day, quota, true);
    if (counted !== "away") return counted;
    return this.#seen.isSeeded(orgId, day) ? this.#reserveHere(orgId, day, quota) : null;
  }

  async refund(orgId: string, day: string): Promise<void> {
    try {
      await this.#redis.run((client) =>
        client.refundCall([this.#month(orgId, day), this.#deltas], [day, deltaField(orgId, day)]),
      );
    } catch (error) {
      this.#noteAway(error);
      if (this.#seen.read(orgId, day).today === 0) return;
      this.#seen.refund(orgId, day);
      this.#backlog.add(orgId, day, -1);
    }
  }

  async read(orgId: string, day: string): Promise<UsageReading> {
    try {
      const counts = await this.#redis.run((client) => client.readCounts([this.#month(orgId, day)], [day]));
      this.#learn(orgId, day, counts);
      return { today: counts.today, thisMonth: counts.thisMonth };
    } catch (error) {
      this.#noteAway(error);
      return this.#seen.read(orgId, day);
    }
  }

  /** Always asks Redis: an answer from memory would not notice that Redis lost its data. */
  async isSeeded(orgId: string, day: string): Promise<boolean> {
    try {
      const counts = await this.#redis.run((client) => client.readCounts([this.#month(orgId, day)], [day]));
      this.#learn(orgId, day, counts);
      return counts.isSeeded;
    } catch (error) {
      this.#noteAway(error);
      return this.#seen.isSeeded(orgId, day);
    }
  }

  async seed(orgId: string, day: string, readStored: () => Promise<UsageReading>): Promise<void> {
    // Calls counted locally in the meantime go into the deltas before the store's counts are added.
    await this.#absorb();
    for (let look = 1; !this.#seen.isSeeded(orgId, day); look += 1) {
      const isLast = look >= MOST_LOOKS;
      const settlements = await this.#askSettlements();
      if (!settlements) return this.#seen.seed(orgId, day, async () => this.#atLeastSeen(orgId, day, await readStored()));
      if (settlements.moving > 0 && !isLast) await sleep(LOOK_AGAIN_MS);
      else await this.#load(orgId, day, await readStored(), isLast ? null : settlements.moved);
    }
  }

  settle(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void> {
    const settled = this.#settling.then(() => this.#settleOnce(write));
    this.#settling = settled.catch(() => {});
    return settled;
  }

  #month(orgId: string, day: string): string {
    return `${this.#prefix}${day.slice(0, 7)}:${orgId}`;
  }

  async #reserveInRedis(orgId: string, day: string, quota: number, onlyLoaded: boolean): Promise<Reservation | null | "away"> {
    const { loading, thisMonth, today } = this.#last.read(orgId, day);
    const keys = [this.#month(orgId, day), this.#deltas];
    const values = [day, deltaField(orgId, day), quota, onlyLoaded ? 1 : 0, loading, thisMonth, today];
    try {
      const counted = await this.#redis.run((client) => client.reserveCall(keys, values));
      this.#learn(orgId, day, counted);
      return counted.isCounted ? { allowed: counted.allowed, today: counted.today, thisMonth: counted.thisMonth } : null;
    } catch (error) {
      this.#noteAway(error);
      return "away";
    }
  }

  #reserveHere(orgId: string, day: string, quota: number): Reservation {
    const counted = this.#seen.reserve(orgId, day, quota);
    if (counted.allowed) this.#backlog.add(orgId, day, 1);
    return counted;
  }

  /** Null while Redis is down. */
  async #askSettlements(): Promise<{ readonly moving: number; readonly moved: number } | null> {
    try {
      return await this.#redis.run((client) => client.readSettlements([this.#moving, this.#moved], []));
    } catch (error) {
      this.#noteAway(error);
      return null;
    }
  }

  /** Loads counts unless another batch moved since `moved` was read; null loads them regardless. */
  async #load(orgId: string, day: string, stored: UsageReading, moved: number | null): Promise<void> {
    const keys = [this.#month(orgId, day), this.#deltas, this.#moving, this.#moved];
    const fields = daysOfMonth(day).map((each) => deltaField(orgId, each));
    const { thisMonth, today } = this.#last.read(orgId, day);
    const asStored = [day, stored.today, stored.thisMonth, moved ?? -1];
    const values = [...asStored, randomUUID(), thisMonth, today, deltaField(orgId, day), ...fields];
    try {
      const counts = await this.#redis.run((client) => client.seedCounts(keys, values));
      if (counts) this.#learn(orgId, day, counts);
    } catch (error) {
      this.#noteAway(error);
      await this.#seen.seed(orgId, day, async () => this.#atLeastSeen(orgId, day, stored));
    }
  }

  #atLeastSeen(orgId: string, day: string, stored: UsageReading): UsageReading {
    const { today, thisMonth } = this.#last.read(orgId, day);
    return { today: Math.max(stored.today, today), thisMonth: Math.max(stored.thisMonth, thisMonth) };
  }

  #learn(orgId: string, day: string, counts: LastCounts & { readonly isSeeded: boolean }): void {
    this.#isAway = false;
    if (counts.isSeeded) {
      this.#seen.learn(orgId, day, counts);
      this.#last.note(orgId, day, { loading: counts.loading, today: counts.today, thisMonth: counts.thisMonth });
    } else this.#seen.forget(orgId, day);
    void this.#absorb();
  }

  #noteAway(error: unknown): void {
    if (!this.#isAway) this.#log.warn({ err: error }, "redis is unreachable; counting calls in this process");
    this.#isAway = true;
  }

  async #settleOnce(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void> {
    await this.#absorb();
    const batch = `${this.#deltas}:${this.#batchId}`;
    let taken: string[];
    try {
      taken = await this.#redis.run((client) => client.takeDeltas([this.#deltas, batch, this.#moving], []));
    } catch (error) {
      this.#noteAway(error);
      return this.#seen.settle(write);
    }
    this.#batchId = randomUUID();
    const deltas = readDeltas(taken.flatMap((field, at) => (at % 2 === 0 ? [[field, Number(taken[at + 1])] as const] : [])));
    if (taken.length === 0) return;
    try {
      if (deltas.length > 0) await write(deltas);
    } catch (error) {
      this.#seen.restore(deltas);
      await this.#absorb();
      throw error;
    } finally {
      await this.#redis
        .run((client) => client.noteSettled([batch, this.#moving, this.#moved], []))
        .catch((error: unknown) => this.#noteAway(error));
    }
  }

  /** Flushes local counts to Redis, when there are any and Redis is up. */
  async #absorb(): Promise<void> {
    if (!this.#redis.isReady || (this.#backlog.isEmpty && !this.#seen.hasDeltas)) return;
    this.#absorbing ??= this.#sendBatch().finally(() => {
      this.#absorbing = null;
    });
    await this.#absorbing.catch((error: unknown) => this.#noteAway(error));
  }

  async #sendBatch(): Promise<void> {
    const { id, counts, deltas } = this.#backlog.next(() => this.#seen.drain());
    const keys = [`${this.#deltas}:absorbed:${id}`, this.#deltas, ...counts.map(({ orgId, day }) => this.#month(orgId, day))];
    const values = [
      counts.length,
      ...counts.flatMap(({ day, calls }) => [day, calls]),
      ...deltas.flatMap(({ orgId, day, calls }) => [deltaField(orgId, day), calls]),
    ];
    await this.#redis.run((client) => client.absorbCounts(keys, values));
    this.#backlog.arrived();
    this.#log.debug({ groups: counts.length }, "added the calls counted in this process to redis");
  }
}
