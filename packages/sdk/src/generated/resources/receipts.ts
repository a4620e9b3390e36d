/**
 * `assay.receipts`: Verify a receipt.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { receiptsVerify } from "../operations.ts";
import type { ReceiptCheck } from "../types.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.receipts.verify`. */
export interface ReceiptsVerifyParams {
  /** The receipt. */
  readonly receipt: string;
}

/** Verify a receipt. */
export class ReceiptsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Verify a receipt.
   *
   * Whether a receipt (`format=jws`) was signed by this service and not changed since, and whether the prices of a quote are
   * still held. Of a receipt that is not genuine nothing it says is repeated. Receipts verify offline as well, with the keys of
   * `/.well-known/jwks.json`.
   *
   * `POST /v1/quotes/verify`. No key needed.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns What is known of a receipt.
   * @throws {ApiError} Errors about keys, limits and parameters: RateLimitExceededError, ValidationError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  verify(params: ReceiptsVerifyParams, options: RequestOptions = {}): ApiPromise<ReceiptCheck, Wire.ReceiptCheck> {
    return this.#client.call(receiptsVerify, params, options);
  }
}
