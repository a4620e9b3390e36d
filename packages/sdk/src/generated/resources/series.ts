/**
 * `assay.series`: Daily prices in any currency, unit and purity, newest first.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { PagePromise } from "../../core/pages/page-promise.ts";
import { seriesList } from "../operations.ts";
import type { SeriesPage, SeriesPoint } from "../types.ts";
import type { Cross, Open, Unit } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.series.list`. */
export interface SeriesListParams {
  /** A metal in a currency, in dash or slash form, or an alias, which is in USD. */
  readonly symbol: Open<Cross>;
  /** Unit of weight the price is of. Default `troy_ounce`. */
  readonly unit?: Open<Unit> | undefined;
  /** Purity in parts of 24, gold only; pure metal when neither this nor `fineness` is given. */
  readonly karat?: number | undefined;
  /** Purity in parts of 1000, above 100, instead of `karat`. */
  readonly fineness?: number | undefined;
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

/** Daily prices in any currency, unit and purity, newest first. */
export class SeriesResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Daily prices in any currency, unit and purity, newest first.
   *
   * A point for each settled day that has a close and a reference rate of at most seven days before; nothing is filled forward. A
   * currency with a fixed peg follows it. Only the close: open, high and low of a cross cannot be known from daily figures. Free
   * sees 30 days of gold, Basic and Physical a year; other metals need Pro. Pass `nextCursor` as `cursor` for the next page, with
   * the same `order`; null means there are no more pages; the pages of one walk are one snapshot.
   *
   * `GET /v1/series`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns one page when awaited; the rows of all pages when iterated
   * @throws {RangeTooDeepError} `from` or `at` is further back than the tier allows, or an intraday range starts more than 30
   *   days ago.
   * @throws {UnknownPastError} `knownAt` is before the service began to record revisions, or in a time that a restored backup
   *   lacks.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: DisabledError, InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  list(
    params: SeriesListParams,
    options: RequestOptions = {},
  ): PagePromise<SeriesPage, Wire.SeriesPage, SeriesPoint, Wire.SeriesPoint> {
    return this.#client.page(seriesList, params, options);
  }
}
