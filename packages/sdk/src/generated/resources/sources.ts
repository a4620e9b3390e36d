/**
 * `assay.sources`: What each source delivered, and how far from the price.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { sourcesList } from "../operations.ts";
import type { SourceRecords } from "../types.ts";
import type { BarSymbol, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.sources.list`. */
export interface SourcesListParams {
  /** How far back; of 30d and 1y the days are UTC days, with today. Default `24h`. */
  readonly window?: "24h" | "30d" | "1y" | undefined;
  /** Only this instrument, by its own name or that of its bars. */
  readonly symbol?: Open<BarSymbol> | undefined;
  /** Only this source, by its key. */
  readonly source?: string | undefined;
}

/** What each source delivered, and how far from the price. */
export class SourcesResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * What each source delivered, and how far from the price.
   *
   * One row per source and instrument, by source: what was expected, received, accepted and refused, in the last 24 hours, 30
   * days or year. Closed hours and hours in which this service did not run are not expected. Readings are judged once, when they
   * arrive. Everything is at least 15 minutes old, and nothing of it is a price. The same for every caller.
   *
   * `GET /v1/sources`. No key needed.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns The record of the sources.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: RateLimitExceededError.
   */
  list(params: SourcesListParams = {}, options: RequestOptions = {}): ApiPromise<SourceRecords, Wire.SourceRecords> {
    return this.#client.call(sourcesList, params, options);
  }
}
