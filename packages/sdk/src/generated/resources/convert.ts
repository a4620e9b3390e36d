/**
 * `assay.convert`: Convert between metals and currencies.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { Decimal } from "../../core/published-decimal.ts";
import { convertGet, convertReceipt } from "../operations.ts";
import type { Conversion } from "../types.ts";
import type { Convertible, Open, WeightUnit } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.convert.get`. */
export interface ConvertGetParams {
  /** XAU, XAG or a currency code. */
  readonly from: Open<Convertible>;
  /** XAU, XAG or a currency code. */
  readonly to: Open<Convertible>;
  /** How much of `from`, finite and positive. Default `1`. */
  readonly amount?: Decimal | string | number | undefined;
  /** Weight unit of the metal side: oz, gram or kg. Default `oz`. */
  readonly unit?: Open<WeightUnit> | undefined;
  /** Groups to add: sources, what the figures are made of. Unknown ones are ignored. */
  readonly include?: readonly ("sources" | "all")[] | undefined;
}

/** Convert between metals and currencies. */
export class ConvertResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Convert between metals and currencies.
   *
   * XAU, XAG and the 31 currencies, in all four directions. A metal is converted with the rate that was published with its price;
   * conversions between currencies are not delayed.
   *
   * `GET /v1/convert`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns An amount converted, and the rate it was converted at.
   * @throws {UnsupportedCurrencyError} A currency or metal of the conversion, or the currency of the karat table, a badge or an
   *   embedded page, is not supported.
   * @throws {UnsupportedUnitError} The unit is not oz, gram or kg.
   * @throws {BadRequestError} A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that
   *   does not exist, `from` after `to`, or an amount that is not positive.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request; `message` names what is
   *   missing. `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(params: ConvertGetParams, options: RequestOptions = {}): ApiPromise<Conversion, Wire.Conversion> {
    return this.#client.call(convertGet, params, options);
  }

  /**
   * The response of {@link ConvertResource.get} as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text unchanged, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts`
   * verifies it offline, and so does any JOSE library.
   *
   * `GET /v1/convert?format=jws`. Access, delay, limits and quota are those of {@link ConvertResource.get}.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link ConvertResource.get} throws.
   * @throws {UnreadableAnswerError} The response is not a receipt, as from a version of the service without receipts.
   */
  receipt(params: ConvertGetParams, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(convertReceipt, params, options);
  }
}
