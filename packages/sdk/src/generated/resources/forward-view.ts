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
   * One horizon per contract of a delivery month with high volume, by date: from the front contract, the nearest that still
   * trades, to those that expire within a year. The nearest settlement is the one in the futures row of `/v1/prices`.
   * `/v1/settlements` shows the active contract instead, which rolls to the next one on the 25th of the month before delivery.
   * XAU is included in every tier. XAG and HG need Pro. Delayed callers see the curve and the spot price as of 15 minutes ago.
   *
   * `GET /v1/forward-view/{asset}`. The key is optional. Counts against the monthly quota.
   * @param asset XAU, XAG or HG, for example `XAU`
   * @param options settings of this call
   * @returns The futures curve beside the spot price.
   * @throws {BadRequestError} A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
   *   does not exist, `from` after `to`, or an amount that is not positive.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request; `message` names what is
   *   missing. `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
   * @throws {NoHorizonsAvailableError} The forward view has no horizons.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(asset: Open<Metal>, options: RequestOptions = {}): ApiPromise<ForwardView, Wire.ForwardView> {
    return this.#client.call(forwardViewGet, { asset }, options);
  }
}
