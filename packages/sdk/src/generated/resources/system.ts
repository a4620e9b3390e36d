/**
 * `assay.system`: Liveness; readiness, feed freshness and value staleness.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { systemHealth, systemStatus } from "../operations.ts";
import type { Health, Status } from "../types.ts";
import type * as Wire from "../wire.ts";

/** Liveness; readiness, feed freshness and value staleness. */
export class SystemResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Liveness.
   *
   * Answers while the process is running. Checks no dependencies, has no rate limit, and ignores parameters: a probe may add what
   * it likes.
   *
   * `GET /v1/health`. No key needed.
   * @param options settings of this call
   * @returns The process is running.
   * @throws {ApiError} Errors about keys, limits and parameters: ValidationError.
   */
  health(options: RequestOptions = {}): ApiPromise<Health, Wire.Health> {
    return this.#client.call(systemHealth, {}, options);
  }

  /**
   * Readiness, feed freshness and value staleness.
   *
   * `ok` only if the cache and the database respond and accept writes, every required feed last succeeded within twice its
   * interval, XAU bars are fresh, and the configured live writer holds the lease. While the market is closed, bars count as fresh
   * if they reach into its last session. `reasons` says what is wrong and what is weaker meanwhile. `valueStaleness` has the same
   * reasons as live price rows, and does not affect the overall status. Always 200.
   *
   * `GET /v1/status`. No key needed.
   * @param options settings of this call
   * @returns Whether prices can be trusted right now, and why not.
   * @throws {ApiError} Errors about keys, limits and parameters: RateLimitExceededError, ValidationError.
   */
  status(options: RequestOptions = {}): ApiPromise<Status, Wire.Status> {
    return this.#client.call(systemStatus, {}, options);
  }
}
