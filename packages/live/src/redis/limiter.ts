/** Fixed windows in Redis by rate-limiter-flexible; in-process windows while Redis is down. */
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { MemoryLimiter } from "../memory/limiter.ts";
import type { LimiterPort, LimitReading } from "../ports.ts";
import { readWindow, windowSeconds } from "../window.ts";
import type { RedisClient, RedisConnection } from "./connection.ts";
import { COUNT_IN_WINDOW } from "./scripts.ts";

/**
 * Limits across processes. While Redis is down each process counts on its own, from zero: a caller may then use its limit once
 * per process. A full window is cached here, so that a flood of refused requests does not reach Redis.
 */
export class RedisLimiter implements LimiterPort {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  /** Not the library's insurance limiter, which waits for a stalled server on every request. */
  readonly #insurance = new MemoryLimiter();
  readonly #byLimit = new Map<number, RateLimiterRedis>();

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = `${prefix}limit`;
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const options = { customDuration: windowSeconds(windowMs) };
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
    windowSeconds(windowMs);
    const read = async (client: RedisClient): Promise<LimitReading> =>
      readWindow(await this.#limiter(client, limit).get(`${windowMs}:${key}`), limit, windowMs);
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
