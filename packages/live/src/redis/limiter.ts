/** Fixed windows in Redis; in-process windows while Redis is down. */
import { MAX_WINDOWS, MemoryLimiter } from "../memory/limiter.ts";
import type { Clock, LimiterPort, LimitReading } from "../ports.ts";
import { windowFault } from "../window.ts";
import type { CallBatches, WindowCall } from "./call-batches.ts";
import type { RedisConnection } from "./connection.ts";

/** A window that refused this limit, and when it ends. */
interface Full {
  readonly limit: number;
  readonly endsAtMs: number;
}

/** What the limiter depends on. */
export interface LimiterParts {
  readonly redis: RedisConnection;
  readonly batches: CallBatches;
  readonly prefix: string;
  readonly clock: Clock;
}

/**
 * Limits across processes. While Redis is down each process counts on its own, from zero: a caller may then use its limit once
 * per process. A full window is cached here, so that a flood of refused requests does not count in Redis.
 */
export class RedisLimiter implements LimiterPort {
  readonly #redis: RedisConnection;
  readonly #batches: CallBatches;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #full = new Map<string, Full>();
  /** The windows of this process, for while Redis is down. */
  readonly local: MemoryLimiter;

  constructor({ redis, batches, prefix, clock }: LimiterParts) {
    this.#redis = redis;
    this.#batches = batches;
    this.#prefix = `${prefix}limit:`;
    this.#clock = clock;
    this.local = new MemoryLimiter(MAX_WINDOWS, clock);
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    const window = this.window(key, limit, windowMs);
    const full = this.knownFull(window);
    if (full) return full;
    try {
      const counted = await this.#batches.count(window, null);
      return this.noted(window, counted.window);
    } catch {
      return this.local.count(key, limit, windowMs);
    }
  }

  async peek(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    try {
      const { name } = this.window(key, limit, windowMs);
      const { used, leftMs } = await this.#redis.run((client) => client.readWindow([name], [windowMs]));
      const remaining = Math.max(0, limit - used);
      return { allowed: remaining > 0, limit, remaining, resetInMs: leftMs };
    } catch {
      return this.local.peek(key, limit, windowMs);
    }
  }

  /** A window as Redis has it. */
  window(key: string, limit: number, windowMs: number): WindowCall {
    return { name: `${this.#prefix}${windowMs}:${key}`, limit, lengthMs: windowMs };
  }

  /** The refusal of a window that is known to be full until it ends; null when Redis has to be asked. */
  knownFull({ name, limit }: WindowCall): LimitReading | null {
    const full = this.#full.get(name);
    if (!full || limit > full.limit) return null;
    const leftMs = full.endsAtMs - this.#clock();
    if (leftMs > 0) return { allowed: false, limit, remaining: 0, resetInMs: leftMs };
    this.#full.delete(name);
    return null;
  }

  /** Remembers a window that refused. @returns its reading */
  noted({ name, limit }: WindowCall, reading: LimitReading): LimitReading {
    if (!reading.allowed) {
      // Redis knows them all; forgetting costs a question each.
      if (this.#full.size >= MAX_WINDOWS) this.#full.clear();
      this.#full.set(name, { limit, endsAtMs: this.#clock() + reading.resetInMs });
    }
    return reading;
  }
}
