/** Fixed windows in Redis; in-process windows while Redis is down. */
import { MAX_WINDOWS, MemoryLimiter } from "../memory/limiter.ts";
import type { Clock, LimiterPort, LimitReading } from "../ports.ts";
import { windowFault } from "../window.ts";
import type { RedisConnection } from "./connection.ts";

/** A window that refused this limit, and when it ends. */
interface Full {
  readonly limit: number;
  readonly endsAtMs: number;
}

/**
 * Limits across processes. While Redis is down each process counts on its own, from zero: a caller may then use its limit once
 * per process. A full window is cached here, so that a flood of refused requests does not reach Redis.
 */
export class RedisLimiter implements LimiterPort {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #insurance: MemoryLimiter;
  readonly #full = new Map<string, Full>();

  constructor(redis: RedisConnection, prefix: string, clock: Clock) {
    this.#redis = redis;
    this.#prefix = `${prefix}limit:`;
    this.#clock = clock;
    this.#insurance = new MemoryLimiter(MAX_WINDOWS, clock);
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    const window = `${this.#prefix}${windowMs}:${key}`;
    const fullForMs = this.#fullForMs(window, limit);
    if (fullForMs > 0) return { allowed: false, limit, remaining: 0, resetInMs: fullForMs };
    try {
      const { allowed, used, leftMs } = await this.#redis.run((client) => client.countInWindow([window], [windowMs, limit]));
      if (!allowed) this.#noteFull(window, { limit, endsAtMs: this.#clock() + leftMs });
      return { allowed, limit, remaining: Math.max(0, limit - used), resetInMs: leftMs };
    } catch {
      return this.#insurance.consume(key, limit, windowMs);
    }
  }

  async peek(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    try {
      const window = `${this.#prefix}${windowMs}:${key}`;
      const { used, leftMs } = await this.#redis.run((client) => client.readWindow([window], [windowMs]));
      const remaining = Math.max(0, limit - used);
      return { allowed: remaining > 0, limit, remaining, resetInMs: leftMs };
    } catch {
      return this.#insurance.peek(key, limit, windowMs);
    }
  }

  #fullForMs(window: string, limit: number): number {
    const full = this.#full.get(window);
    if (!full || limit > full.limit) return 0;
    const leftMs = full.endsAtMs - this.#clock();
    if (leftMs <= 0) this.#full.delete(window);
    return leftMs;
  }

  #noteFull(window: string, full: Full): void {
    // Redis knows them all; forgetting costs a question each.
    if (this.#full.size >= MAX_WINDOWS) this.#full.clear();
    this.#full.set(window, full);
  }
}
