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

/** What `assay.convert.get` can be asked. */
export interface ConvertGetParams {
  /** XAU, XAG or a currency code. */
  readonly from: Open<Convertible>;
  /** XAU, XAG or a currency code. */
  readonly to: Open<Convertible>;
  /** How much of `from`, finite and positive. Default `1`. */
  readonly amount?: Decimal | string | number | undefined;
  /** Weight unit of the metal side: oz, gram or kg. Default `oz`. */
  readonly unit?: WeightUnit | undefined;
}

/** Convert between metals and currencies. */
export class ConvertResource {
  readonly #client: Client;

  /** Made by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Convert between metals and currencies.
   *
   * XAU, XAG and the 31 currencies, in all four directions. Delayed metals use the currency rate of the same moment; conversions
   * between currencies are not delayed.
   *
   * `GET /v1/convert`. Takes a key, but needs none. Counts against the monthly quota.
   * @param params what is asked for
   * @param options settings of this call
   * @returns An amount converted, and the rate it was converted at.
   * @throws {UnsupportedCurrencyError} A leg of the conversion, or the currency of the karat table, a badge or an embedded
   *   page, is not in the supported set.
   * @throws {UnsupportedUnitError} The unit is not oz, gram or kg.
   * @throws {BadRequestError} A malformed request on history, settlements, forward view, convert or ratios: an unreadable date,
   *   `from` after `to`, an amount that is not positive.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request.
   * @throws {ApiError} Whatever follows from keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(params: ConvertGetParams, options: RequestOptions = {}): ApiPromise<Conversion, Wire.Conversion> {
    return this.#client.call(convertGet, params, options);
  }

  /**
   * What {@link ConvertResource.get} answers, as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text as it is, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts` verifies
   * it offline, and so does any JOSE library.
   *
   * `GET /v1/convert?format=jws`. Access, delay, limits and quota are those of {@link ConvertResource.get}.
   * @param params what is asked for
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link ConvertResource.get} throws.
   * @throws {UnreadableAnswerError} The service answered with something else, as versions without receipts do.
   */
  receipt(params: ConvertGetParams, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(convertReceipt, params, options);
  }
}
