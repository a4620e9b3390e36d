/**
 * `assay.corrections`: What published history is no longer what it was, oldest first; the newest correction's number and digest.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { correctionsHead, correctionsList, correctionsReceipt } from "../operations.ts";
import type { ChainHead, CorrectionsPage } from "../types.ts";
import type { BarSymbol, Open } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.corrections.list`. */
export interface CorrectionsListParams {
  /** Only this series, product or reference rate. */
  readonly symbol?: Open<BarSymbol> | undefined;
  /**
   * Only corrections with a greater number: nextSince of the page before. Or those recorded from an instant on, ISO-8601; a bare
   * date is its UTC midnight. Default `0`.
   */
  readonly since?: number | Date | string | undefined;
  /** At most this many rows. Default `100`. */
  readonly limit?: number | undefined;
}

/** What published history is no longer what it was, oldest first; the newest correction's number and digest. */
export class CorrectionsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * What published history is no longer what it was, oldest first.
   *
   * One row for every closed bar, settlement or reference rate that was replaced or removed since the ledger began; the first
   * appearance of one is no correction. Pass `nextSince` as `since` to go on, also later. Rows are those of the bars and
   * settlements that your tier includes, and the reference rates, with its delay and its depth of daily bars. Each row names the
   * digest of the one before it in the whole chain.
   *
   * `GET /v1/corrections`. The key is optional. Counts against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns Corrections, oldest first.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  list(params: CorrectionsListParams = {}, options: RequestOptions = {}): ApiPromise<CorrectionsPage, Wire.CorrectionsPage> {
    return this.#client.call(correctionsList, params, options);
  }

  /**
   * The newest correction's number and digest.
   *
   * The head of the chain of corrections. As a receipt (`format=jws`) it is signed: whoever keeps it can show later that no
   * correction before it was changed or left out. Delayed callers get the head as of 15 minutes ago.
   *
   * `GET /v1/corrections/head`. The key is optional. Counts against the monthly quota.
   * @param options settings of this call
   * @returns The head of the chain of corrections.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  head(options: RequestOptions = {}): ApiPromise<ChainHead, Wire.ChainHead> {
    return this.#client.call(correctionsHead, {}, options);
  }

  /**
   * The response of {@link CorrectionsResource.head} as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text unchanged, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts`
   * verifies it offline, and so does any JOSE library.
   *
   * `GET /v1/corrections/head?format=jws`. Access, delay, limits and quota are those of {@link CorrectionsResource.head}.
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link CorrectionsResource.head} throws.
   * @throws {UnreadableAnswerError} The response is not a receipt, as from a version of the service without receipts.
   */
  receipt(options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(correctionsReceipt, {}, options);
  }
}
