/**
 * `assay.spot`: One spot price.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { spotGet, spotReceipt } from "../operations.ts";
import type { SpotAnswer } from "../types.ts";
import type { Open, SpotGroup, SpotName } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.spot.get`. */
export interface SpotGetParams {
  /** Groups to add: sources, karat, stats, all. Unknown ones are ignored; anonymous callers do not get stats. */
  readonly include?: readonly SpotGroup[] | undefined;
  /**
   * A past instant, ISO-8601: the price that stood then. A bare date is the close of that UTC day. Of the groups, karat alone.
   */
  readonly at?: Date | string | undefined;
}

/** One spot price. */
export class SpotResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * One spot price.
   *
   * One row without an envelope. Prices on Free are 15 minutes late. XAG and HG need Pro. With `at` the price that stood then:
   * the newest published price, else the close of the newest bar that had ended, of a minute on Pro and up within 30 days, else
   * of a day; `basis` says which. Other currencies use the rate that was published with a price, else the daily reference that
   * had been published by then, of a bare date that of its date, seven days old at most; `fxRole` says which. `at` reaches as far
   * back as daily bars do.
   *
   * `GET /v1/spot/{symbol}`. The key is optional. Counts against the monthly quota.
   * @param symbol Symbol or alias, for example `XAU-USD-SPOT`
   * @param params parameters of the request
   * @param options settings of this call
   * @returns One priced symbol, now or at a past instant.
   * @throws {InvalidSymbolError} The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {NotFoundError} The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or
   *   there is no archive for that year, no price that early, or no live surface for that metal.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request; `message` names what is
   *   missing. `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
   * @throws {RangeTooDeepError} `from` or `at` is further back than the tier allows, or an intraday range starts more than 30
   *   days ago.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  get(symbol: Open<SpotName>, params: SpotGetParams = {}, options: RequestOptions = {}): ApiPromise<SpotAnswer, Wire.SpotAnswer> {
    return this.#client.call(spotGet, { symbol, ...params }, options);
  }

  /**
   * The response of {@link SpotResource.get} as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text unchanged, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts`
   * verifies it offline, and so does any JOSE library.
   *
   * `GET /v1/spot/{symbol}?format=jws`. Access, delay, limits and quota are those of {@link SpotResource.get}.
   * @param symbol Symbol or alias, for example `XAU-USD-SPOT`
   * @param params parameters of the request
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link SpotResource.get} throws.
   * @throws {UnreadableAnswerError} The response is not a receipt, as from a version of the service without receipts.
   */
  receipt(symbol: Open<SpotName>, params: SpotGetParams = {}, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(spotReceipt, { symbol, ...params }, options);
  }
}
