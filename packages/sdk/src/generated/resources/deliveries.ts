/**
 * `assay.deliveries`: List your deliveries; send an event again.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { PagePromise } from "../../core/pages/page-promise.ts";
import { deliveriesList, deliveriesRedeliver } from "../operations.ts";
import type { DeliveriesPage, Delivery } from "../types.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.deliveries.list`. */
export interface DeliveriesListParams {
  /** Only events of this alert. */
  readonly alertId?: string | undefined;
  /** Only events to this endpoint. */
  readonly endpointId?: string | undefined;
  /** Only events with this status. */
  readonly status?: "pending" | "delivered" | "failed" | undefined;
  /** The maximum number of rows per page. Default `100`. */
  readonly limit?: number | undefined;
  /** nextCursor of the previous page; opaque. */
  readonly cursor?: string | undefined;
}

/** List your deliveries; send an event again. */
export class DeliveriesResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * List your deliveries.
   *
   * The events of the last 30 days, newest first, with their tries. Pass `nextCursor` as `cursor` for the next older page; null
   * means there are no more pages.
   *
   * `GET /v1/account/deliveries`. Needs a key. Does not count against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns one page when awaited; the rows of all pages when iterated
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError.
   */
  list(
    params: DeliveriesListParams = {},
    options: RequestOptions = {},
  ): PagePromise<DeliveriesPage, Wire.DeliveriesPage, Delivery, Wire.Delivery> {
    return this.#client.page(deliveriesList, params, options);
  }

  /**
   * Send an event again.
   *
   * Sends the same bytes under the same webhook-id again, at once and with all the tries of a new event.
   *
   * `POST /v1/account/deliveries/{delivery_id}/redeliver`. Needs a key. Does not count against the monthly quota.
   * @param deliveryId The delivery's id, for example `msg_3Gt8rQ6cV1aMz0Ny`
   * @param options settings of this call
   * @returns An event, and what became of it.
   * @throws {DeliveryNotFoundError} The caller's organisation has no delivery with that id, or it is older than 30 days.
   * @throws {EndpointNotFoundError} The caller's organisation has no endpoint with that id.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, ValidationError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  redeliver(deliveryId: string, options: RequestOptions = {}): ApiPromise<Delivery, Wire.Delivery> {
    return this.#client.call(deliveriesRedeliver, { deliveryId }, options);
  }
}
