/**
 * Exact counts of metered calls across processes.
 *
 * While Redis answers, a quota is exact to the call: comparing and counting are one script. While it is away each
 * process goes on from the counts it saw last and notes its calls; when Redis is back they are added to its counts,
 * once. So no call goes uncounted, and a quota is exceeded at most by what the other processes let through meanwhile.
 * A call whose answer was lost in the moment Redis went away may be counted twice. When Redis loses its data, counts
 * are loaded from the store again before the next call is counted, and are never below what this process saw of them last: what is
 * lost is what other processes alone counted within their last settlement, and only until they count again.
 *
 * A settlement takes a batch out of the deltas and says so, and says again that the store has it. Counts are loaded only when
 * no batch was between the two while the store was read: every call is then either in the store or in the deltas.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { daysOfMonth, deltaField, MemoryCounters, readDeltas } from "../memory/counters.ts";
import type { CountersPort, LiveLog, Reservation, UsageDelta, UsageReading } from "../ports.ts";
import { Backlog } from "./backlog.ts";
import type { RedisConnection } from "./connection.ts";
import { type LastCounts, LastSeen } from "./last-seen.ts";

/** How often, and in which steps, it is looked for a moment without a settlement before counts are loaded in spite of one. */
const MOST_LOOKS = 100;
const LOOK_AGAIN_MS = 10;

/** A hash per organisation and month, and one hash of deltas to settle. */
export class RedisCounters implements CountersPort {
  readonly #redis: RedisConnection;
  readonly #log: LiveLog;
  readonly #prefix: string;
  readonly #deltas: string;
  /** Batches on their way to the store, and how many arrived. */
  readonly #moving: string;
  readonly #moved: string;
  /** The counts as last seen, on which this process goes on while Redis is away. */
  readonly #seen = new MemoryCounters();
  readonly #last = new LastSeen();
  readonly #backlog = new Backlog(randomUUID);
  #isAway = false;
  #absorbing: Promise<void> | null = null;
  #settling: Promise<void> = Promise.resolve();
  /** The batch to take next; one whose answer was lost is asked for again. */
  #batchId: string = randomUUID();

  constructor(redis: RedisConnection, prefix: string, log: LiveLog) {
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

  /** Redis is asked each time: whoever answers from memory does not see that it has lost its data. */
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
    // What was counted here meanwhile is in the deltas before they are added to what the store has.
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

  /** Null while Redis is away. */
  async #askSettlements(): Promise<{ readonly moving: number; readonly moved: number } | null> {
    try {
      return await this.#redis.run((client) => client.readSettlements([this.#moving, this.#moved], []));
    } catch (error) {
      this.#noteAway(error);
      return null;
    }
  }

  /** Loads counts unless another batch moved since `moved` was read; null loads them all the same. */
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
    if (!this.#isAway) this.#log.warn({ err: error }, "calls are counted in this process until redis answers");
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
