/**
 * `assay.bars`: Bars of a window, newest first; the latest bar.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { PagePromise } from "../../core/pages/page-promise.ts";
import { barsLatest, barsList } from "../operations.ts";
import type { Bar, BarsPage, LatestBar } from "../types.ts";
import type { BarSymbol, Interval, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.bars.list`. */
export interface BarsListParams {
  /**
   * A series with bars, in dash or slash form (XAU-USD-SPOT, XAU/USD): XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, GC, SI, HG, GLD.
   */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. Default `1d`. */
  readonly interval?: Interval | undefined;
  /** First barStart, ISO-8601, inclusive. A bare date is its UTC midnight. */
  readonly from: Date | string;
  /** Last barStart, ISO-8601, inclusive. A bare date is the whole UTC day. */
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
  /** Leaves out rows that are not final yet. Default `false`. */
  readonly closedOnly?: boolean | undefined;
}

/** Parameters of `assay.bars.latest`. */
export interface BarsLatestParams {
  /**
   * A series with bars, in dash or slash form (XAU-USD-SPOT, XAU/USD): XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, GC, SI, HG, GLD.
   */
  readonly symbol: Open<BarSymbol>;
  /** Bar interval. Default `1d`. */
  readonly interval?: Interval | undefined;
  /**
   * Answers as this service had committed it by then, ISO-8601; now when left out. Bars that were forming then are left out. A
   * bare date is the end of that UTC day; delayed callers get what was known 15 minutes ago at the latest.
   */
  readonly knownAt?: Date | string | undefined;
}

/** Bars of a window, newest first; the latest bar. */
export class BarsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Bars of a window, newest first.
   *
   * Pass `nextCursor` as `cursor` for the next page, with the same `order`; null means there are no more pages; the pages of one
   * walk are one snapshot. Free sees 30 days of daily XAU-USD bars, Basic and Physical a year; other series and intraday
   * intervals need Pro, and intraday goes back 30 days on every tier.
   *
   * `GET /v1/bars`. The key is optional. Counts against the monthly quota.
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
  list(params: BarsListParams, options: RequestOptions = {}): PagePromise<BarsPage, Wire.BarsPage, Bar, Wire.Bar> {
    return this.#client.page(barsList, params, options);
  }

  /**
   * The latest bar.
   *
   * The most recent bar, forming or closed; null when there is none. With `knownAt` the most recent closed one.
   *
   * `GET /v1/bars/latest`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns The most recent bar of a series, forming or closed.
   * @throws {UnknownPastError} `knownAt` is before the service began to record revisions, or in a time that a restored backup
   *   lacks.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: DisabledError, InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  latest(params: BarsLatestParams, options: RequestOptions = {}): ApiPromise<LatestBar, Wire.LatestBar> {
    return this.#client.call(barsLatest, params, options);
  }
}
