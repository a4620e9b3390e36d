/**
 * `assay.publicHistory`: One year of daily XAU-USD-SPOT closes.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { publicHistoryXau } from "../operations.ts";
import type { PublicHistory } from "../types.ts";
import type * as Wire from "../wire.ts";

/** One year of daily XAU-USD-SPOT closes. */
export class PublicHistoryResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * One year of daily XAU-USD-SPOT closes.
   *
   * Refreshed every hour; callers in the same hour get identical bytes. No key, no limit. Newest first. A day's close appears
   * once it is 15 minutes old at `asOf`.
   *
   * `GET /v1/public/xau-history`. No key needed.
   * @param options settings of this call
   * @returns A year of daily gold closes, newest first.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: ValidationError.
   */
  xau(options: RequestOptions = {}): ApiPromise<PublicHistory, Wire.PublicHistory> {
    return this.#client.call(publicHistoryXau, {}, options);
  }
}
