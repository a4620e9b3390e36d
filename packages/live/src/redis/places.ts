/**
 * Open streams per key and organisation, across processes: a hash per organisation, each place stored with its process and key.
 *
 * Each process sends a heartbeat every second; places of one that has been quiet for three seconds do not count. While Redis is
 * down each process counts only its own streams; what Redis lost or did not hear of is made up for when it is back, and no open
 * stream is closed for it.
 */
import { randomUUID } from "node:crypto";
import type { Log } from "../log.ts";
import { MemoryPlaces } from "../memory/places.ts";
import type { PlaceLimits, PlaceReading, PlacesPort, StreamHolder, StreamPlace } from "../ports.ts";
import type { RedisConnection } from "./redis-connection.ts";

/** Heartbeat interval, and how long a process counts as alive without one. */
const KEEP_INTERVAL_MS = 1_000;
const PROCESS_TTL_MS = 3_000;

/** Places written per command when restoring. */
const RESTORE_BATCH = 500;

/** Places of all processes in Redis, and a local copy of this process's own. */
export class RedisPlaces implements PlacesPort {
  readonly #redis: RedisConnection;
  readonly #log: Log;
  readonly #prefix: string;
  readonly #owners: string;
  readonly #owner = randomUUID();
  readonly #own = new MemoryPlaces();
  #next = 1;
  /** Returned while Redis did not answer: it would count them for as long as this process lives. */
  readonly #returned = new Set<StreamPlace>();
  /** Whether places were taken that Redis may not have. */
  #isBehind = false;
  #restoring: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;

  constructor(redis: RedisConnection, prefix: string, log: Log) {
    this.#redis = redis;
    this.#log = log;
    this.#prefix = `${prefix}streams:org:`;
    this.#owners = `${prefix}streams:process:`;
  }

  async take({ keyId, orgId }: StreamHolder, limits: PlaceLimits): Promise<PlaceReading> {
    this.#timer ??= setInterval(() => this.#keep(), KEEP_INTERVAL_MS).unref();
    const place = { keyId, orgId, id: `${this.#owner}:${this.#next++}` };
    const keys = [this.#prefix + orgId, this.#owners + this.#owner];
    const bounds = [limits.perKey, limits.perOrg, this.#own.isEmpty ? 0 : 1];
    const values = [this.#owners, this.#owner, keyId, PROCESS_TTL_MS, place.id, ...bounds];
    try {
      // Places not yet written do not count.
      await this.#restoring;
      const take = () => this.#redis.run((client) => client.takePlace(keys, values));
      let answer = await take();
      this.#noteAnswer();
      if (!answer.isKnown) {
        // Its own places must be counted before it takes another.
        await this.#restore();
        answer = await take();
      }
      if (answer.isTaken) this.#own.add(place);
      const silenceMs = answer.quietMs < 0 ? 0 : PROCESS_TTL_MS - answer.quietMs;
      return { place: answer.isTaken ? place : null, open: answer.open, silenceMs };
    } catch (error) {
      this.#noteAway(error);
      const open = this.#own.count(place);
      if (this.#own.isFull(place, limits)) return { place: null, open, silenceMs: 0 };
      this.#own.add(place);
      this.#isBehind = true;
      return { place, open: open + 1, silenceMs: 0 };
    }
  }

  async giveBack(place: StreamPlace): Promise<void> {
    if (!this.#own.has(place)) return;
    this.#own.giveBack(place);
    try {
      await this.#free(place);
    } catch (error) {
      this.#returned.add(place);
      this.#noteAway(error);
    }
  }

  async #free({ orgId, id }: StreamPlace): Promise<void> {
    await this.#redis.run((client) => client.hDel(this.#prefix + orgId, id));
  }

  async count(holder: StreamHolder): Promise<number> {
    const values = [this.#owners, this.#owner, holder.keyId];
    try {
      return await this.#redis.run((client) => client.countPlaces([this.#prefix + holder.orgId], values));
    } catch (error) {
      this.#noteAway(error);
      return this.#own.count(holder);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#timer === undefined) return;
    await this.#redis.run((client) => client.del(this.#owners + this.#owner)).catch(() => {});
  }

  #keep(): void {
    this.#keepOnce().catch((error: unknown) => this.#noteAway(error));
  }

  async #keepOnce(): Promise<void> {
    const isKnown = await this.#redis.run((client) => client.keepProcess([this.#owners + this.#owner], [PROCESS_TTL_MS]));
    this.#noteAnswer();
    // Down for longer than the heartbeat timeout, or Redis lost its data: others may have dropped this process's places.
    if (!isKnown || this.#isBehind || this.#returned.size > 0) await this.#restore();
  }

  /** Restores what Redis has lost, once for all waiting callers. */
  #restore(): Promise<void> {
    this.#restoring ??= this.#restoreOnce()
      .catch((error: unknown) => {
        this.#isBehind = true;
        throw error;
      })
      .finally(() => {
        this.#restoring = null;
      });
    return this.#restoring;
  }

  async #restoreOnce(): Promise<void> {
    this.#isBehind = false;
    const places = [...this.#own.all()];
    for (let from = 0; from === 0 || from < places.length; from += RESTORE_BATCH) {
      const batch = places.slice(from, from + RESTORE_BATCH).filter((place) => this.#own.has(place));
      const keys = [this.#owners + this.#owner, ...batch.map(({ orgId }) => this.#prefix + orgId)];
      const values = [PROCESS_TTL_MS, this.#owner, ...batch.flatMap(({ id, keyId }) => [id, keyId])];
      await this.#redis.run((client) => client.restorePlaces(keys, values));
    }
    // Last: meanwhile too many are counted, and never too few.
    for (const place of this.#returned) {
      await this.#free(place);
      this.#returned.delete(place);
    }
  }

  #noteAnswer(): void {
    this.#isAway = false;
  }

  #noteAway(error: unknown): void {
    if (!this.#isAway) this.#log.warn({ err: error }, "redis is unreachable; counting streams in this process");
    this.#isAway = true;
  }
}
