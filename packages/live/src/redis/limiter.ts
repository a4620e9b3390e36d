/** Fixed windows in Redis by rate-limiter-flexible, insured by windows of this process while Redis is away. */
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { BoundedWindows, readWindow, settleCount, windowSeconds } from "../memory/windows.ts";
import type { LimiterPort, LimitReading } from "../ports.ts";
import type { RedisConnection } from "./connection.ts";
import { COUNT_IN_WINDOW } from "./scripts.ts";

/** What the library uses of a node-redis client, with the connection's deadlines and the script sent once. */
const guardedClient = (redis: RedisConnection) => ({
  get isReady() {
    return redis.isReady;
  },
  eval: (_script: string, { keys, arguments: values }: { keys: string[]; arguments: string[] }) =>
    redis.run((client) => client.countInWindow(keys, values.slice(0, 3))),
  multi: () => {
    let windowKey = "";
    const commands = {
      get: (key: string) => {
        windowKey = key;
        return commands;
      },
      pTTL: () => commands,
      exec: () => redis.run((client) => client.multi().get(windowKey).pTTL(windowKey).exec()),
    };
    return commands;
  },
});

/**
 * Limits across processes. While Redis is away each process counts for itself, from nothing: a caller may then use its
 * limit once per process. A full window is remembered here, so that a flood of refused requests costs Redis nothing.
 */
export class RedisLimiter implements LimiterPort {
  readonly #client: ReturnType<typeof guardedClient>;
  readonly #prefix: string;
  readonly #insurance = new BoundedWindows();
  readonly #byLimit = new Map<number, RateLimiterRedis>();

  constructor(redis: RedisConnection, prefix: string) {
    this.#client = guardedClient(redis);
    this.#prefix = `${prefix}limit`;
  }

  async consume(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    const options = { customDuration: windowSeconds(windowMs) };
    const windowKey = `${windowMs}:${key}`;
    try {
      const window = await this.#limiter(limit).consume(windowKey, 1, options);
      return settleCount(this.#insurance, windowKey, window, limit, options);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { allowed: false, limit, remaining: 0, resetInMs: refusal.msBeforeNext };
    }
  }

  async peek(key: string, limit: number, windowMs: number): Promise<LimitReading> {
    windowSeconds(windowMs);
    return readWindow(await this.#limiter(limit).get(`${windowMs}:${key}`), limit, windowMs);
  }

  #limiter(limit: number): RateLimiterRedis {
    let limiter = this.#byLimit.get(limit);
    if (!limiter) {
      limiter = new RateLimiterRedis({
        storeClient: this.#client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        customIncrTtlLuaScript: COUNT_IN_WINDOW,
        keyPrefix: this.#prefix,
        points: limit,
        duration: 60,
        inMemoryBlockOnConsumed: limit + 1,
        insuranceLimiter: this.#insurance,
      });
      this.#byLimit.set(limit, limiter);
    }
    return limiter;
  }
}
