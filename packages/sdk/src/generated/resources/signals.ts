/**
 * `assay.signals`: Executable edges between venues.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { signalsArbitrage } from "../operations.ts";
import type { ArbitrageSignals } from "../types.ts";
import type { Open, SurfaceMetal } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.signals.arbitrage`. */
export interface SignalsArbitrageParams {
  /** The metal, case-insensitive. */
  readonly metal: Open<SurfaceMetal>;
}

/** Executable edges between venues. */
export class SignalsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Executable edges between venues.
   *
   * Only bids and asks with size count, after both venues' fees, between markets with the same expiry instant and settlement
   * figure. An empty list is normal.
   *
   * `GET /v1/signals/arbitrage`. Needs a key of tier Pro or higher. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns The current edges of a metal.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {UnknownMetalError} The metal of a surface or signals request is unknown.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  arbitrage(params: SignalsArbitrageParams, options: RequestOptions = {}): ApiPromise<ArbitrageSignals, Wire.ArbitrageSignals> {
    return this.#client.call(signalsArbitrage, params, options);
  }
}
