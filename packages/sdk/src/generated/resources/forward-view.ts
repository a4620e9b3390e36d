/**
 * `assay.forwardView`: The futures curve up to a year out.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { forwardViewGet } from "../operations.ts";
import type { ForwardView } from "../types.ts";
import type { Metal, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** The futures curve up to a year out. */
export class ForwardViewResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The futures curve up to a year out.
   *
   * One horizon per active contract, from the front month to those that expire within a year, by date. The nearest settlement is
   * the one in the futures row. XAU is included in every tier, XAG and HG need Pro. Free and keyless callers see the curve and
   * the spot price as of 15 minutes ago.
   *
   * `GET /v1/forward-view/{asset}`. The key is optional. Counts against the monthly quota.
   * @param asset XAU, XAG or HG, for example `XAU`
   * @param options settings of this call
   * @returns The futures curve beside the spot price.
   * @throws {BadRequestError} A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
   *   does not exist, `from` after `to`, or an amount that is not positive.
   * @throws {PlanGatedError} The tier does not include the route, symbol, contract or interval.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request.
   * @throws {NoHorizonsAvailableError} The forward view has no horizons.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(asset: Open<Metal>, options: RequestOptions = {}): ApiPromise<ForwardView, Wire.ForwardView> {
    return this.#client.call(forwardViewGet, { asset }, options);
  }
}
