/**
 * `assay.quotes`: Price pieces of metal.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { Piece, QuotesCreateBasis } from "../inputs.ts";
import { quotesCreate, quotesReceipt } from "../operations.ts";
import type { Bill } from "../types.ts";
import type { CounterCurrency, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.quotes.create`. */
export interface QuotesCreateParams {
  /** Currency of every amount, ISO 4217. */
  readonly currency: Open<CounterCurrency>;
  /** What prices stand on, where the local market is above or below spot. */
  readonly basis?: QuotesCreateBasis | undefined;
  /** How many minutes these prices are held: `validUntil` says until when, and a receipt (format=jws) proves it. */
  readonly holdMinutes?: number | undefined;
  /** The pieces. */
  readonly items: readonly Piece[];
}

/** Price pieces of metal. */
export class QuotesResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Price pieces of metal.
   *
   * What 1 to 500 pieces cost in a shop: metal value, margin, making, charges and tax, all at the prices of one moment. Nothing
   * is stored, and a request is one call. Every step is exact; each amount is rounded once to the currency's minor units, and
   * `total`, the exact sum, to `roundTo`; `rounding` is what parts the lines from it. A piece that cannot be priced has an
   * `error` with its path, and the others are answered; when none can be, the request is refused: 403 if your tier has none of
   * the metals, 503 if none has a price, else 422 with an issue for each. XAG and HG need Pro. A CSV file is read as well: a
   * header row of the field names, `making_per_gram` and the like for `making`, `charge.NAME.fixed` and the like for a charge,
   * and `currency` in the query; it is answered as CSV.
   *
   * `POST /v1/quotes`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns The prices of pieces.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {SpotUnavailableError} No spot price or currency rate is available for the request; `message` names what is
   *   missing. `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, PayloadTooLargeError, UnsupportedMediaTypeError.
   */
  create(params: QuotesCreateParams, options: RequestOptions = {}): ApiPromise<Bill, Wire.Bill> {
    return this.#client.call(quotesCreate, params, options);
  }

  /**
   * The response of {@link QuotesResource.create} as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text unchanged, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts`
   * verifies it offline, and so does any JOSE library.
   *
   * `POST /v1/quotes?format=jws`. Access, delay, limits and quota are those of {@link QuotesResource.create}.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link QuotesResource.create} throws.
   * @throws {UnreadableAnswerError} The response is not a receipt, as from a version of the service without receipts.
   */
  receipt(params: QuotesCreateParams, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(quotesReceipt, params, options);
  }
}
