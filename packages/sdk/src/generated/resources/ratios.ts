/**
 * `assay.ratios`: Ratios of daily closes in a window, newest first; the latest ratio.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { PagePromise } from "../../core/pages/page-promise.ts";
import { ratiosLatest, ratiosList } from "../operations.ts";
import type { LatestRatio, RatioPoint, RatiosPage } from "../types.ts";
import type { Open, RatioPair } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.ratios.list`. */
export interface RatiosListParams {
  /** One of gold-silver, gold-platinum, silver-platinum, gold-palladium, gld-xau. */
  readonly pair: Open<RatioPair>;
  /** First day, inclusive, YYYY-MM-DD. Text: a Date, which has no day without a time zone, is refused. */
  readonly from: Date | string;
  /** Last day, inclusive, YYYY-MM-DD. Text: a Date, which has no day without a time zone, is refused. */
  readonly to: Date | string;
  /** The maximum number of rows per page. Default `100`. */
  readonly limit?: number | undefined;
  /** nextCursor of the previous page; opaque. */
  readonly cursor?: string | undefined;
  /** desc, newest first, or asc, oldest first; the same for every page of a walk. Default `desc`. */
  readonly order?: "desc" | "asc" | undefined;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly knownAt?: Date | string | undefined;
}

/** Parameters of `assay.ratios.latest`. */
export interface RatiosLatestParams {
  /** One of gold-silver, gold-platinum, silver-platinum, gold-palladium, gld-xau. */
  readonly pair: Open<RatioPair>;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly knownAt?: Date | string | undefined;
}

/** Ratios of daily closes in a window, newest first; the latest ratio. */
export class RatiosResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Ratios of daily closes in a window, newest first.
   *
   * Only days on which both series have a settled bar; nothing is filled forward. Pass `nextCursor` as `cursor` for the next
   * page, with the same `order`; null means there are no more pages; the pages of one walk are one snapshot.
   *
   * `GET /v1/ratios`. Needs a key of tier Pro or higher. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns one page when awaited; the rows of all pages when iterated
   * @throws {UnknownPairError} The pair is not one of the supported pairs.
   * @throws {UnknownPastError} `knownAt` is before the service began to record revisions, or in a time that a restored backup
   *   lacks.
   * @throws {BadRequestError} A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
   *   does not exist, `from` after `to`, or an amount that is not positive.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: DisabledError, InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, PlanGatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  list(
    params: RatiosListParams,
    options: RequestOptions = {},
  ): PagePromise<RatiosPage, Wire.RatiosPage, RatioPoint, Wire.RatioPoint> {
    return this.#client.page(ratiosList, params, options);
  }

  /**
   * The latest ratio.
   *
   * The newest settled day on which both series have a bar; null when there is none.
   *
   * `GET /v1/ratios/latest`. Needs a key of tier Pro or higher. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns The latest ratio of a pair.
   * @throws {UnknownPairError} The pair is not one of the supported pairs.
   * @throws {UnknownPastError} `knownAt` is before the service began to record revisions, or in a time that a restored backup
   *   lacks.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: DisabledError, InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, PlanGatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  latest(params: RatiosLatestParams, options: RequestOptions = {}): ApiPromise<LatestRatio, Wire.LatestRatio> {
    return this.#client.call(ratiosLatest, params, options);
  }
}
