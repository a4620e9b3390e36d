/** Latest documents in Redis, compared and set by one script, so that two writers cannot overwrite each other. */
import type { LatestPort } from "../ports.ts";
import type { RedisConnection } from "./redis-connection.ts";

/** One hash per key, with the value and its position in the order. */
export class RedisLatest implements LatestPort {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = `${prefix}latest:`;
  }

  async put(key: string, value: string, order: { readonly token: number; readonly atMs: number }): Promise<boolean> {
    return this.#redis.run((client) => client.putLatest([this.#prefix + key], [value, order.token, order.atMs]));
  }

  async get(key: string): Promise<string | null> {
    return this.#redis.run((client) => client.hGet(this.#prefix + key, "value"));
  }

  async ping(): Promise<void> {
    await this.#redis.run((client) => client.ping());
  }
}
