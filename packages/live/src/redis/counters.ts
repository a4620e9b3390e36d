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
import { daysOfMonth, deltaField, readDeltas } from "../memory/counters.ts";
import type { CountersPort, Reservation, UsageDelta, UsageReading } from "../ports.ts";
import type { CallBatches, MonthMode } from "./call-batches.ts";
import type { CountKeys, LocalCounts } from "./local-counts.ts";

/** How many times, and at which interval, to wait for a moment without a settlement before loading counts regardless. */
const MOST_LOOKS = 100;
const LOOK_AGAIN_MS = 10;

/** A hash per organisation and month, and one hash of unsettled deltas. Its keys, batches and local counts are its admissions' too. */
export class RedisCounters implements CountersPort {
  readonly #keys: CountKeys;
  readonly #batches: CallBatches;
  readonly #local: LocalCounts;
  #settling: Promise<void> = Promise.resolve();
  /** The next batch; one whose reply was lost is requested again. */
  #batchId: string = randomUUID();

  constructor(keys: CountKeys, batches: CallBatches, local: LocalCounts) {
    this.#keys = keys;
    this.#batches = batches;
    this.#local = local;
  }

  async reserve(orgId: string, day: string, quota: number): Promise<Reservation> {
    const counted = await this.#count(orgId, day, quota, "reserve");
    return counted === "away" || counted === null ? this.#local.reserve(orgId, day, quota) : counted;
  }

  async reserveLoaded(orgId: string, day: string, quota: number): Promise<Reservation | null> {
    const counted = await this.#count(orgId, day, quota, "reserveLoaded");
    return counted === "away" ? this.#local.reserveLoaded(orgId, day, quota) : counted;
  }

  async refund(orgId: string, day: string): Promise<void> {
    const keys = [this.#keys.month(orgId, day), this.#keys.deltas];
    try {
      await this.#local.run((client) => client.refundCall(keys, [day, deltaField(orgId, day)]));
    } catch {
      this.#local.refund(orgId, day);
    }
  }

  async read(orgId: string, day: string): Promise<UsageReading> {
    const counts = await this.#count(orgId, day, 0, "read");
    if (counts === "away" || counts === null) return this.#local.seen.read(orgId, day);
    return { today: counts.today, thisMonth: counts.thisMonth };
  }

  /** Always asks Redis: an answer from memory would not notice that Redis lost its data. */
  async isSeeded(orgId: string, day: string): Promise<boolean> {
    const counts = await this.#count(orgId, day, 0, "readLoaded");
    return counts === "away" ? this.#local.seen.isSeeded(orgId, day) : counts !== null;
  }

  async seed(orgId: string, day: string, readStored: () => Promise<UsageReading>): Promise<void> {
    // Calls counted locally in the meantime go into the deltas before the store's counts are added.
    await this.#local.absorb();
    for (let look = 1; !this.#local.seen.isSeeded(orgId, day); look += 1) {
      const isLast = look >= MOST_LOOKS;
      const settlements = await this.#askSettlements();
      if (!settlements) return this.#local.seed(orgId, day, readStored);
      if (settlements.moving > 0 && !isLast) await sleep(LOOK_AGAIN_MS);
      else await this.#load(orgId, day, await readStored(), isLast ? null : settlements.moved);
    }
  }

  settle(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void> {
    const settled = this.#settling.then(() => this.#settleOnce(write));
    this.#settling = settled.catch(() => {});
    return settled;
  }

  async #count(orgId: string, day: string, quota: number, mode: MonthMode): Promise<Reservation | null | "away"> {
    try {
      return (await this.#batches.count([], { orgId, day, quota, mode })).usage;
    } catch {
      return "away";
    }
  }

  /** Null while Redis is down. */
  async #askSettlements(): Promise<{ readonly moving: number; readonly moved: number } | null> {
    try {
      return await this.#local.run((client) => client.readSettlements([this.#keys.moving, this.#keys.moved], []));
    } catch {
      return null;
    }
  }

  /** Loads counts unless another batch moved since `moved` was read; null loads them regardless. */
  async #load(orgId: string, day: string, stored: UsageReading, moved: number | null): Promise<void> {
    const { deltas, moving, moved: arrived } = this.#keys;
    const fields = daysOfMonth(day).map((each) => deltaField(orgId, each));
    const { thisMonth, today } = this.#local.last(orgId, day);
    const asStored = [day, stored.today, stored.thisMonth, moved ?? -1];
    const values = [...asStored, randomUUID(), thisMonth, today, deltaField(orgId, day), ...fields];
    try {
      const keys = [this.#keys.month(orgId, day), deltas, moving, arrived];
      const counts = await this.#local.run((client) => client.seedCounts(keys, values));
      if (counts) this.#local.learn(orgId, day, counts);
    } catch {
      await this.#local.seed(orgId, day, async () => stored);
    }
  }

  async #settleOnce(write: (deltas: readonly UsageDelta[]) => Promise<void>): Promise<void> {
    await this.#local.absorb();
    const { deltas: name, moving, moved } = this.#keys;
    const batch = `${name}:${this.#batchId}`;
    let taken: string[];
    try {
      taken = await this.#local.run((client) => client.takeDeltas([name, batch, moving], []));
    } catch {
      return this.#local.seen.settle(write);
    }
    this.#batchId = randomUUID();
    const deltas = readDeltas(taken.flatMap((field, at) => (at % 2 === 0 ? [[field, Number(taken[at + 1])] as const] : [])));
    if (taken.length === 0) return;
    try {
      if (deltas.length > 0) await write(deltas);
    } catch (error) {
      this.#local.seen.restore(deltas);
      await this.#local.absorb();
      throw error;
    } finally {
      await this.#local.run((client) => client.noteSettled([batch, moving, moved], [])).catch(() => {});
    }
  }
}
