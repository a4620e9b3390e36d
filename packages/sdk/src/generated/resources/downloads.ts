/**
 * `assay.downloads`: A link to a year of bars.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import { type SavedDownload, type SaveOptions, saveDownload } from "../../core/download.ts";
import type { RequestOptions } from "../../core/options.ts";
import { downloadsLink } from "../operations.ts";
import type { DownloadLink } from "../types.ts";
import type { BarSymbol, Interval, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.downloads.link`. */
export interface DownloadsLinkParams {
  /**
   * A series with bars, in dash or slash form (XAU-USD-SPOT, XAU/USD): XAU-USD-SPOT, XAG-USD-SPOT, HG-USD-SPOT, GC, SI, HG, GLD.
   */
  readonly symbol: Open<BarSymbol>;
  /** UTC calendar year, from 1996 to the current one; an earlier one if the service has bars of it. */
  readonly year: number;
  /** Bar interval. Default `1d`. */
  readonly interval?: Interval | undefined;
  /** Format of the archive. Default `parquet`. */
  readonly fmt?: "parquet" | "csv" | undefined;
}

/** A link to a year of bars. */
export class DownloadsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * A link to a year of bars.
   *
   * Redirects to an archive of one series, interval and UTC calendar year, with a link that is valid for one hour. The archive
   * has closed bars, oldest first: barStart, open, high, low, close, volume, isClosed; figures are the same as on the bars
   * routes, in Parquet as DECIMAL and UTC timestamps. The current year is rebuilt every night. Basic and Physical include daily
   * XAU-USD spot of years that lie entirely within the last 365 days; Pro and above include everything. Follow the link without
   * your key.
   *
   * `GET /v1/download`. Needs a key of tier Basic or higher. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns A link to an archive.
   * @throws {NotFoundError} The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or
   *   there is no archive for that year, no price that early, or no live surface for that metal.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {StorageUnavailableError} The archive storage failed during a download.
   * @throws {StorageError} The archive storage does not respond.
   * @throws {ApiError} Errors about keys, limits and parameters: DisabledError, InvalidApiKeyError, AuthUnavailableError,
   *   AuthenticationRequiredError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  link(params: DownloadsLinkParams, options: RequestOptions = {}): ApiPromise<DownloadLink, Wire.DownloadLink> {
    return this.#client.call(downloadsLink, params, options);
  }

  /**
   * Saves the file behind such a link. It is streamed and its checksum is verified; the target is replaced only when the file is
   * complete.
   *
   * The key is not sent with the download. An interrupted transfer resumes where it stopped. Calls {@link DownloadsResource.link}
   * once. Needs a runtime with files: Node.js, Deno or Bun.
   * @param params parameters of the link
   * @param path where to save the file; an existing file is replaced once the download is complete
   * @param options settings of the call for the link, and `onProgress`
   * @returns path, bytes, checksum and row count
   * @throws {DownloadError} The download failed; no partial file is left.
   * @throws {ConnectionError} The storage cannot be reached.
   * @throws {ApiError} What {@link DownloadsResource.link} throws.
   */
  save(params: DownloadsLinkParams, path: string, options: SaveOptions = {}): Promise<SavedDownload> {
    return saveDownload(this.#client, this.link(params, options), path, options);
  }
}
