/**
 * `assay.tiers`: The tier catalog.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { tiersList } from "../operations.ts";
import type { Tier } from "../types.ts";
import type * as Wire from "../wire.ts";

/** The tier catalog. */
export class TiersResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The tier catalog.
   *
   * What each tier costs and allows, ordered Free, Basic, Physical, Pro, Realtime Pro.
   *
   * `GET /v1/metadata/tiers`. No key needed.
   * @param options settings of this call
   * @returns a list. What a tier costs and allows.
   * @throws {ApiError} Errors about keys, limits and parameters: RateLimitExceededError, ValidationError.
   */
  list(options: RequestOptions = {}): ApiPromise<readonly Tier[], readonly Wire.Tier[]> {
    return this.#client.call(tiersList, {}, options);
  }
}
