/** Fixed windows in Redis by rate-limiter-flexible; in-process windows while Redis is down. */
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { MAX_WINDOWS, MemoryLimiter } from "../memory/limiter.ts";
import type { Clock, LimiterPort, LimitReading } from "../ports.ts";
import { windowFault } from "../window.ts";
import type { RedisClient, RedisConnection } from "./connection.ts";
import { COUNT_IN_WINDOW } from "./scripts.ts";

/** Reads a window without counting; null when it has not been used. */
const readingOf = (window: RateLimiterRes | null, limit: number, windowMs: number): LimitReading => {
  const isOpen = window !== null && window.msBeforeNext > 0;
  const remaining = Math.max(0, limit - (isOpen ? window.consumedPoints : 0));
  return { allowed: remaining > 0, limit, remaining, resetInMs: isOpen ? window.msBeforeNext : windowMs };
};

/**
 * Limits across processes. While Redis is down each process counts on its own, from zero: a caller may then use its limit once
 * per process. A full window is cached here, so that a flood of refused requests does not reach Redis.
 */
export class RedisLimiter implements LimiterPort {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  /** Not the library's insurance limiter, which waits for a stalled server on every request. */
  readonly #insurance: MemoryLimiter;
  readonly #byLimit = new Map<number, RateLimiterRedis>();

  constructor(redis: RedisConnection, prefix: string, clock: Clock) {
    this.#redis = redis;
    this.#insurance = new MemoryLimiter(MAX_WINDOWS, clock);
    this.#prefix = `${prefix}limit`;
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    const options = { customDuration: windowMs / 1000 };
    const count = (client: RedisClient): Promise<LimitReading> =>
      this.#limiter(client, limit)
        .consume(`${windowMs}:${key}`, 1, options)
        .then(({ remainingPoints, msBeforeNext }) => ({
          allowed: true,
          limit,
          remaining: remainingPoints,
          resetInMs: msBeforeNext,
        }))
        .catch((refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          return { allowed: false, limit, remaining: 0, resetInMs: refusal.msBeforeNext };
        });
    return this.#redis.run(count).catch(() => this.#insurance.consume(key, limit, windowMs));
  }

  async peek(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const fault = windowFault(windowMs);
    if (fault) throw fault;
    const read = async (client: RedisClient): Promise<LimitReading> =>
      readingOf(await this.#limiter(client, limit).get(`${windowMs}:${key}`), limit, windowMs);
    return this.#redis.run(read).catch(() => this.#insurance.peek(key, limit, windowMs));
  }

  #limiter(client: RedisClient, limit: number): RateLimiterRedis {
    let limiter = this.#byLimit.get(limit);
    if (!limiter) {
      limiter = new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        customIncrTtlLuaScript: COUNT_IN_WINDOW,
        keyPrefix: this.#prefix,
        points: limit,
        duration: 60,
        inMemoryBlockOnConsumed: limit + 1,
      });
      this.#byLimit.set(limit, limiter);
    }
    return limiter;
  }
}
