/**
 * `assay.account`: List your keys; rotate your key; revoke a key; your usage.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { accountListKeys, accountMintKey, accountRevokeKey, accountUsage } from "../operations.ts";
import type { Key, MintedKey, Usage } from "../types.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.account.mintKey`. */
export interface AccountMintKeyParams {
  /** A name for the new key, of visible characters. */
  readonly name?: string | undefined;
}

/** List your keys; rotate your key; revoke a key; your usage. */
export class AccountResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * List your keys.
   *
   * Active keys and keys in their grace period, newest first.
   *
   * `GET /v1/account/keys`. Needs a key. Does not count against the monthly quota.
   * @param options settings of this call
   * @returns a list. A listed key; the key itself is never shown again.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  listKeys(options: RequestOptions = {}): ApiPromise<readonly Key[], readonly Wire.Key[]> {
    return this.#client.call(accountListKeys, {}, options);
  }

  /**
   * Rotate your key.
   *
   * Creates a new key and keeps the calling key valid for another 24 hours, in which it reads but changes nothing. The new key is
   * shown once, and ends when the calling key would have, if that has an end. With an Idempotency-Key, a retry within 24 hours
   * returns the same response. An organisation can have 20 keys at a time, including those in their grace period.
   *
   * `POST /v1/account/keys`. Needs a key. Does not count against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns A new key; the only response with the whole key.
   * @throws {KeyLimitReachedError} A new key is requested while the organisation has 20 keys, including those in their grace
   *   period.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  mintKey(params: AccountMintKeyParams = {}, options: RequestOptions = {}): ApiPromise<MintedKey, Wire.MintedKey> {
    return this.#client.call(accountMintKey, params, options);
  }

  /**
   * Revoke a key.
   *
   * Revokes one of your keys immediately, without a grace period. A key in its grace period can revoke none, not even itself.
   *
   * `DELETE /v1/account/keys/{key_id}`. Needs a key. Does not count against the monthly quota.
   * @param keyId Key id, for example `3f0c1d1e-8f5e-4c55-9a59-2a2b1d6c7e11`
   * @param options settings of this call
   * @returns nothing
   * @throws {KeyNotFoundError} The caller's organisation has no key with that id.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  revokeKey(keyId: string, options: RequestOptions = {}): ApiPromise<void, void> {
    return this.#client.call(accountRevokeKey, { keyId }, options);
  }

  /**
   * Your usage.
   *
   * Metered calls of your organisation today, this month, and on each day of the month, by UTC calendar. Today's calls are
   * counted exactly; those of earlier days are as stored, which happens within seconds. So the days add up to `callsThisMonth`,
   * except just after midnight or after an outage of the store, when some calls of an earlier day may not be stored yet.
   *
   * `GET /v1/account/usage`. Needs a key. Does not count against the monthly quota.
   * @param options settings of this call
   * @returns Metered calls of an organisation, by UTC calendar.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  usage(options: RequestOptions = {}): ApiPromise<Usage, Wire.Usage> {
    return this.#client.call(accountUsage, {}, options);
  }
}
