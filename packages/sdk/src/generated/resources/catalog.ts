/**
 * `assay.catalog`: Metals, currencies and units.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { catalogGet } from "../operations.ts";
import type { Catalog } from "../types.ts";
import type * as Wire from "../wire.ts";

/** Metals, currencies and units. */
export class CatalogResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Metals, currencies and units.
   *
   * Everything this service knows of metals, funds, currencies and units of weight, and the symbols and ratios made of them. An
   * operator can add to it.
   *
   * `GET /v1/metadata/catalog`. No key needed.
   * @param options settings of this call
   * @returns Metals, funds, currencies and units, and the names made of them.
   * @throws {ApiError} Errors about keys, limits and parameters: RateLimitExceededError, ValidationError.
   */
  get(options: RequestOptions = {}): ApiPromise<Catalog, Wire.Catalog> {
    return this.#client.call(catalogGet, {}, options);
  }
}
