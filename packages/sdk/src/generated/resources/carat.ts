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

/** Parameters of `assay.carat.get`. */
export interface CaratGetParams {
  /** One of the 31 currencies. Default `USD`. */
  readonly currency?: Open<Currency> | undefined;
  /** Groups to add: sources, what the figures are made of. Unknown ones are ignored. */
  readonly include?: readonly ("sources" | "all")[] | undefined;
}

/** Gold per gram by karat. */
export class CaratResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Gold per gram by karat.
   *
   * USD spot per troy ounce / 31.1034768 × the currency's rate, times karat / 24; 4 decimals. Spot-based: no premium, tax or
   * making charge.
   *
   * `GET /v1/carat`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns Gold per gram by karat, 4 decimals, in one currency.
   * @throws {UnsupportedCurrencyError} A currency or metal of the conversion, or the currency of the karat table, a badge or an
   *   embedded page, is not supported.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request; `message` names what is
   *   missing. `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(params: CaratGetParams = {}, options: RequestOptions = {}): ApiPromise<KaratPrices, Wire.KaratPrices> {
    return this.#client.call(caratGet, params, options);
  }

  /**
   * The response of {@link CaratResource.get} as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text unchanged, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts`
   * verifies it offline, and so does any JOSE library.
   *
   * `GET /v1/carat?format=jws`. Access, delay, limits and quota are those of {@link CaratResource.get}.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link CaratResource.get} throws.
   * @throws {UnreadableAnswerError} The response is not a receipt, as from a version of the service without receipts.
   */
  receipt(params: CaratGetParams = {}, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(caratReceipt, params, options);
  }
}
