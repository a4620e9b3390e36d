/**
 * `assay.prices`: Spot prices; where the sources differ; price history (deprecated).
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { pricesDivergence, pricesHistory, pricesList } from "../operations.ts";
import type { Divergence, History, Prices } from "../types.ts";
import type { Open, SpotGroup, SpotName } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.prices.list`. */
export interface PricesListParams {
  /** One symbol or alias; by default every symbol of the tier. */
  readonly symbol?: Open<SpotName> | undefined;
  /** Groups to add: sources, karat, stats, all. Unknown ones are ignored; anonymous callers do not get stats. */
  readonly include?: readonly SpotGroup[] | undefined;
}

/** Parameters of `assay.prices.divergence`. */
export interface PricesDivergenceParams {
  /** Threshold in basis points. Default `50`. */
  readonly threshold?: number | undefined;
}

/** Parameters of `assay.prices.history`. */
export interface PricesHistoryParams {
  /** A series with bars. */
  readonly symbol: string;
  /** First day, inclusive. Text: a Date, which has no day without a time zone, is refused. */
  readonly from: string;
  /** Last day, inclusive. Text: a Date, which has no day without a time zone, is refused. */
  readonly to: string;
  /** 1h needs Pro. Default `1d`. */
  readonly interval?: "1d" | "1h" | undefined;
  /** At most this many rows. Default `100`. */
  readonly limit?: number | undefined;
}

/** Spot prices; where the sources differ; price history (deprecated). */
export class PricesResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Spot prices.
   *
   * Every symbol the tier includes, or the requested one. Prices on Free are 15 minutes late. XAG and HG need Pro. A futures row
   * is the newest of a live futures quote and the settlement of the front contract, the nearest that still trades: the first
   * settlement of `/v1/forward-view`. `/v1/settlements` shows the active contract, which rolls earlier, on the 25th of the month
   * before delivery.
   *
   * `GET /v1/prices`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns Spot prices, one row per symbol.
   * @throws {InvalidSymbolError} The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  list(params: PricesListParams = {}, options: RequestOptions = {}): ApiPromise<Prices, Wire.Prices> {
    return this.#client.call(pricesList, params, options);
  }

  /**
   * Where the sources differ.
   *
   * Symbols whose fresh primary sources differ by the threshold or more. For anonymous callers, only how many.
   *
   * `GET /v1/prices/divergence`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns Where sources differ: with a key the symbols, without one their number.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  divergence(params: PricesDivergenceParams = {}, options: RequestOptions = {}): ApiPromise<Divergence, Wire.Divergence> {
    return this.#client.call(pricesDivergence, params, options);
  }

  /**
   * Price history (deprecated).
   *
   * Use /v1/bars. Oldest first, with the newest `limit` bars of the window; the window is cut to the tier's depth.
   *
   * `GET /v1/prices/history`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns Bars of a window, oldest first.
   * @throws {BadRequestError} A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
   *   does not exist, `from` after `to`, or an amount that is not positive.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   * @deprecated Use {@link BarsResource.list}.
   */
  history(params: PricesHistoryParams, options: RequestOptions = {}): ApiPromise<History, Wire.History> {
    return this.#client.call(pricesHistory, params, options);
  }
}
