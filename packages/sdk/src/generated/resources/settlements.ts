/**
 * `assay.settlements`: Daily settlements of a window, newest first.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { settlementsList } from "../operations.ts";
import type { Settlements } from "../types.ts";
import type { FuturesSymbol, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.settlements.list`. */
export interface SettlementsListParams {
  /** GC, SI or HG. */
  readonly symbol: Open<FuturesSymbol>;
  /**
   * First day, inclusive, YYYY-MM-DD; 30 days before `to` when left out. Text: a Date, which has no day without a time zone, is
   * refused.
   */
  readonly from?: string | undefined;
  /** Last day, inclusive, YYYY-MM-DD; today when left out. Text: a Date, which has no day without a time zone, is refused. */
  readonly to?: string | undefined;
  /** At most this many rows, the newest of the window. Default `30`. */
  readonly limit?: number | undefined;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly knownAt?: Date | string | undefined;
}

/** Daily settlements of a window, newest first. */
export class SettlementsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Daily settlements of a window, newest first.
   *
   * One row per day, for that day's active contract: the nearest delivery month with high volume, until the 25th of the month
   * before its delivery, when trading has rolled to the next. The front contract of `/v1/forward-view` and of the futures rows of
   * `/v1/prices` stays to its last trading day, so from the 25th to then the two are different contracts. `priorSettlement` is
   * that of the same contract, also after a roll. The window spans at most 365 days.
   *
   * `GET /v1/settlements`. Needs a key of tier Pro or higher. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns Settlements of a window.
   * @throws {BadRequestError} A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
   *   does not exist, `from` after `to`, or an amount that is not positive.
   * @throws {UnknownPastError} `knownAt` is before the service began to record revisions, or in a time that a restored backup
   *   lacks.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, PlanGatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  list(params: SettlementsListParams, options: RequestOptions = {}): ApiPromise<Settlements, Wire.Settlements> {
    return this.#client.call(settlementsList, params, options);
  }
}
