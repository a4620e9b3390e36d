/**
 * `assay.endpoints`: List your endpoints; make an endpoint; delete an endpoint; send a test event; replace the secret of an
 * endpoint.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { endpointsCreate, endpointsDelete, endpointsList, endpointsRotate, endpointsTest } from "../operations.ts";
import type { EndpointList, MadeEndpoint, RotatedSecret, TestSent } from "../types.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.endpoints.create`. */
export interface EndpointsCreateParams {
  /** An https address with a public host, without credentials and fragment. */
  readonly url: string;
}

/** List your endpoints; make an endpoint; delete an endpoint; send a test event; replace the secret of an endpoint. */
export class EndpointsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * List your endpoints.
   *
   * All endpoints of your organisation, newest first, without their secrets.
   *
   * `GET /v1/account/endpoints`. Needs a key. Does not count against the monthly quota.
   * @param options settings of this call
   * @returns The endpoints of an organisation.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  list(options: RequestOptions = {}): ApiPromise<EndpointList, Wire.EndpointList> {
    return this.#client.call(endpointsList, {}, options);
  }

  /**
   * Make an endpoint.
   *
   * Where events are posted. The address is public and begins with https. The secret that verifies signatures is shown this once.
   * An organisation can have 20 endpoints. With an Idempotency-Key, a retry within 24 hours returns the same response.
   *
   * `POST /v1/account/endpoints`. Needs a key. Does not count against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns A new endpoint, with its secret.
   * @throws {EndpointLimitReachedError} A new endpoint is requested while the organisation has 20.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  create(params: EndpointsCreateParams, options: RequestOptions = {}): ApiPromise<MadeEndpoint, Wire.MadeEndpoint> {
    return this.#client.call(endpointsCreate, params, options);
  }

  /**
   * Delete an endpoint.
   *
   * Deletes an endpoint that no alert is sent to. What is on its way to it is not delivered any more.
   *
   * `DELETE /v1/account/endpoints/{endpoint_id}`. Needs a key. Does not count against the monthly quota.
   * @param endpointId The endpoint's id, for example `ep_9Kd2uP7nW3eHf6Ls`
   * @param options settings of this call
   * @returns nothing
   * @throws {EndpointNotFoundError} The caller's organisation has no endpoint with that id.
   * @throws {EndpointInUseError} An endpoint is to be deleted while alerts are sent to it.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  delete(endpointId: string, options: RequestOptions = {}): ApiPromise<void, void> {
    return this.#client.call(endpointsDelete, { endpointId }, options);
  }

  /**
   * Send a test event.
   *
   * Sends an `endpoint.test` event, like any other event and listed with the deliveries. A test that still waits is sent again
   * instead of another. A disabled endpoint gets it as well, and is enabled again when it answers 2xx.
   *
   * `POST /v1/account/endpoints/{endpoint_id}/test`. Needs a key. Does not count against the monthly quota.
   * @param endpointId The endpoint's id, for example `ep_9Kd2uP7nW3eHf6Ls`
   * @param options settings of this call
   * @returns A test event that is on its way.
   * @throws {EndpointNotFoundError} The caller's organisation has no endpoint with that id.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, ValidationError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  test(endpointId: string, options: RequestOptions = {}): ApiPromise<TestSent, Wire.TestSent> {
    return this.#client.call(endpointsTest, { endpointId }, options);
  }

  /**
   * Replace the secret of an endpoint.
   *
   * Makes a new secret, shown this once. For 24 hours events carry a signature of each, so that receivers change over without
   * losing one. With an Idempotency-Key, a retry within 24 hours returns the same response.
   *
   * `POST /v1/account/endpoints/{endpoint_id}/rotate`. Needs a key. Does not count against the monthly quota.
   * @param endpointId The endpoint's id, for example `ep_9Kd2uP7nW3eHf6Ls`
   * @param options settings of this call
   * @returns A new secret of an endpoint.
   * @throws {EndpointNotFoundError} The caller's organisation has no endpoint with that id.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  rotate(endpointId: string, options: RequestOptions = {}): ApiPromise<RotatedSecret, Wire.RotatedSecret> {
    return this.#client.call(endpointsRotate, { endpointId }, options);
  }
}
