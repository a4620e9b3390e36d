/**
 * `assay.physical`: The countries with dealers; a country's dealer quotes, and their premium over spot.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { physicalGet, physicalList } from "../operations.ts";
import type { PhysicalIndex, PhysicalQuotes } from "../types.ts";
import type { Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** The countries with dealers; a country's dealer quotes, and their premium over spot. */
export class PhysicalResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The countries with dealers.
   *
   * How many sources and quotes each country has, and how fresh they are.
   *
   * `GET /v1/physical`. Needs a key of tier Physical or higher. Counts against the monthly quota.
   * @param options settings of this call
   * @returns The countries with dealers.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  list(options: RequestOptions = {}): ApiPromise<PhysicalIndex, Wire.PhysicalIndex> {
    return this.#client.call(physicalList, {}, options);
  }

  /**
   * A country's dealer quotes, and their premium over spot.
   *
   * The latest sell and buyback quotes, each beside spot in the local currency at the same moment.
   *
   * `GET /v1/physical/{country}`. Needs a key of tier Physical or higher. Counts against the monthly quota.
   * @param country ISO 3166-1 alpha-2, case-insensitive, for example `AE`
   * @param options settings of this call
   * @returns A country's dealer quotes beside spot.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {NotFoundError} The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or
   *   there is no archive for that year, no price that early, or no live surface for that metal.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  get(
    country: Open<"AE" | "CN" | "EG" | "HK" | "ID" | "IN" | "JP" | "MY" | "NP" | "PK" | "SA" | "VN">,
    options: RequestOptions = {},
  ): ApiPromise<PhysicalQuotes, Wire.PhysicalQuotes> {
    return this.#client.call(physicalGet, { country }, options);
  }
}
