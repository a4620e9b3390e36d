/**
 * `assay.carat`: Gold per gram by karat.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { caratGet, caratReceipt } from "../operations.ts";
import type { KaratPrices } from "../types.ts";
import type { Currency, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** What `assay.carat.get` can be asked. */
export interface CaratGetParams {
  /** One of the 31 currencies. Default `USD`. */
  readonly currency?: Open<Currency> | undefined;
}

/** Gold per gram by karat. */
export class CaratResource {
  readonly #client: Client;

  /** Made by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Gold per gram by karat.
   *
   * USD spot per troy ounce / 31.1034768 × the currency's rate, times karat / 24; 4 decimals. Spot-based: no premium, tax or
   * making charge.
   *
   * `GET /v1/carat`. Takes a key, but needs none. Counts against the monthly quota.
   * @param params what is asked for
   * @param options settings of this call
   * @returns Gold per gram by karat, 4 decimals, in one currency.
   * @throws {UnsupportedCurrencyError} A leg of the conversion, or the currency of the karat table, a badge or an embedded
   *   page, is not in the supported set.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request.
   * @throws {ApiError} Whatever follows from keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(params: CaratGetParams = {}, options: RequestOptions = {}): ApiPromise<KaratPrices, Wire.KaratPrices> {
    return this.#client.call(caratGet, params, options);
  }

  /**
   * What {@link CaratResource.get} answers, as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text as it is, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts` verifies
   * it offline, and so does any JOSE library.
   *
   * `GET /v1/carat?format=jws`. Access, delay, limits and quota are those of {@link CaratResource.get}.
   * @param params what is asked for
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link CaratResource.get} throws.
   * @throws {UnreadableAnswerError} The service answered with something else, as versions without receipts do.
   */
  receipt(params: CaratGetParams = {}, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(caratReceipt, params, options);
  }
}
