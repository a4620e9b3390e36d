/**
 * `assay.quality`: How complete each day of a series is, newest first.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { qualityList } from "../operations.ts";
import type { QualityDays } from "../types.ts";
import type { BarSymbol, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.quality.list`. */
export interface QualityListParams {
  /** The series, in dash or slash form. */
  readonly symbol: Open<BarSymbol>;
  /** First day, inclusive, YYYY-MM-DD. Text: a Date, which has no day without a time zone, is refused. */
  readonly from: string;
  /** Last day, inclusive, YYYY-MM-DD. Text: a Date, which has no day without a time zone, is refused. */
  readonly to: string;
}

/** How complete each day of a series is, newest first. */
export class QualityResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * How complete each day of a series is, newest first.
   *
   * A row for each UTC day of the window up to today: how many bars the market's calendar expects and how many are stored, how
   * many origins had accepted readings, and which revision wrote the day last. On days without open hours nothing is expected,
   * and nothing is missing. Series, delay and depth are those of `/v1/bars`. The window spans at most 366 days.
   *
   * `GET /v1/quality`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns How complete the days of a series are.
   * @throws {RangeTooDeepError} `from` or `at` is further back than the tier allows, or an intraday range starts more than 30
   *   days ago.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: DisabledError, InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  list(params: QualityListParams, options: RequestOptions = {}): ApiPromise<QualityDays, Wire.QualityDays> {
    return this.#client.call(qualityList, params, options);
  }
}
