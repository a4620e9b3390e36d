/**
 * Exact counts of metered calls across processes.
 *
 * While Redis answers, a quota is exact to the call: comparing and counting are one script. While it is away each
 * process goes on from the counts it saw last and notes its calls; when Redis is back they are added to its counts,
 * once. So no call goes uncounted, and a quota is exceeded at most by what the other processes let through meanwhile.
 * A call whose answer was lost in the moment Redis went away may be counted twice. When Redis loses its data, counts
 * are loaded from the store again, short of what was not settled yet.
 */
import { randomUUID } from "node:crypto";
import { daysOfMonth, deltaField, MemoryCounters, readDeltas } from "../memory/counters.ts";
import type { CountersPort, LiveLog, UsageDelta, UsageReading } from "../ports.ts";
import { Backlog } from "./backlog.ts";
import type { RedisConnection } from "./connection.ts";

/** A hash per organisation and month, and one hash of deltas to settle. */
export class RedisCounters implements CountersPort {
  readonly #redis: RedisConnection;
  readonly #log: LiveLog;
  readonly #prefix: string;
  readonly #deltas: string;
  /** The counts as last seen, on which this process goes on while Redis is away. */
  readonly #seen = new MemoryCounters();
  readonly #backlog = new Backlog(randomUUID);
  #isAway = false;
  #absorbing: Promise<void> | null = null;
  #draining: Promise<unknown> = Promise.resolve();
  /** The batch taken last, and whether its answer came. */
  #drained = { id: randomUUID(), before: randomUUID(), isTaken: false };

  constructor(redis: RedisConnection, prefix: string, log: LiveLog) {
    this.#redis = redis;
    this.#log = log;
    this.#prefix = `${prefix}usage:`;
    this.#deltas = `${this.#prefix}deltas`;
  }

  async reserve(orgId: string, day: string, quota: number): Promise<UsageReading & { readonly allowed: boolean }> {
    try {
      const counted = await this.#redis.run((client) =>
        client.reserveCall([this.#month(orgId, day), this.#deltas], [day, deltaField(orgId, day), quota]),
      );
      this.#learn(orgId, day, counted);
      return { allowed: counted.allowed, today: counted.today, thisMonth: counted.thisMonth };
    } catch (error) {
      this.#noteAway(error);
      const counted = this.#seen.reserve(orgId, day, quota);
      if (counted.allowed) this.#backlog.add(orgId, day, 1);
      return counted;
    }
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

  /** Answers at once for organisations seen before; when Redis lost its data, the next count shows it. */
  isSeeded(orgId: string, day: string): Promise<boolean> | boolean {
    return this.#seen.isSeeded(orgId, day) || this.#askSeeded(orgId, day);
  }

  async seed(orgId: string, day: string, stored: UsageReading): Promise<void> {
    try {
      const month = this.#month(orgId, day);
      const fields = daysOfMonth(day).map((each) => deltaField(orgId, each));
      const values = [day, stored.today, stored.thisMonth, deltaField(orgId, day), ...fields];
      await this.#redis.run((client) => client.seedCounts([month, this.#deltas], values));
      this.#learn(orgId, day, await this.#redis.run((client) => client.readCounts([month], [day])));
    } catch (error) {
      this.#noteAway(error);
      this.#seen.seed(orgId, day, stored);
    }
  }

  /** Takes what Redis has to settle, and what was counted here while it was away. One after the other. */
  drain(): Promise<readonly UsageDelta[]> {
    const drained = this.#draining.then(() => this.#drainOnce());
    this.#draining = drained;
    return drained;
  }

  async restore(deltas: readonly UsageDelta[]): Promise<void> {
    this.#seen.restore(deltas);
    await this.#absorb();
  }

  #month(orgId: string, day: string): string {
    return `${this.#prefix}${day.slice(0, 7)}:${orgId}`;
  }

  async #askSeeded(orgId: string, day: string): Promise<boolean> {
    try {
      const counts = await this.#redis.run((client) => client.readCounts([this.#month(orgId, day)], [day]));
      this.#learn(orgId, day, counts);
      return counts.isSeeded;
    } catch (error) {
      this.#noteAway(error);
      return false;
    }
  }

  #learn(orgId: string, day: string, counts: UsageReading & { readonly isSeeded: boolean }): void {
    this.#isAway = false;
    if (counts.isSeeded) this.#seen.learn(orgId, day, counts);
    else this.#seen.forget(orgId, day);
    void this.#absorb();
  }

  #noteAway(error: unknown): void {
    if (!this.#isAway) this.#log.warn({ err: error }, "calls are counted in this process until redis answers");
    this.#isAway = true;
  }

  async #drainOnce(): Promise<readonly UsageDelta[]> {
    await this.#absorb();
    // A batch whose answer was lost is asked for again under the same id, so that it is neither lost nor taken twice.
    if (this.#drained.isTaken) this.#drained = { id: randomUUID(), before: this.#drained.id, isTaken: false };
    const keys = [this.#deltas, `${this.#deltas}:${this.#drained.id}`, `${this.#deltas}:${this.#drained.before}`];
    try {
      const drained = await this.#redis.run((client) => client.drainDeltas(keys, []));
      this.#drained.isTaken = true;
      return readDeltas(drained.flatMap((field, at) => (at % 2 === 0 ? [[field, Number(drained[at + 1])] as const] : [])));
    } catch (error) {
      this.#noteAway(error);
      return this.#seen.drain();
    }
  }

  /** Adds what was counted here to Redis, when there is anything and Redis is there. */
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
    this.#log.info({ groups: counts.length }, "calls counted in this process were added to redis");
  }
}
