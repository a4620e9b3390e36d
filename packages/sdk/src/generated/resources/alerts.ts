/**
 * `assay.alerts`: List your alerts; make an alert; an alert; change an alert; delete an alert.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import type { Decimal } from "../../core/published-decimal.ts";
import { alertsCreate, alertsDelete, alertsGet, alertsList, alertsUpdate } from "../operations.ts";
import type { Alert, AlertList, ChangedAlert } from "../types.ts";
import type { Open, SpotName } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.alerts.create`. */
export interface AlertsCreateParams {
  /** A symbol, as `/v1/spot/{symbol}` takes it. */
  readonly symbol: Open<SpotName>;
  /** What to watch for. */
  readonly kind: "above" | "below" | "moved" | "stale";
  /** For above and below a price, in the symbol's currency and unit; for moved a percentage of at least 0.01; not with stale. */
  readonly threshold?: Decimal | string | number | undefined;
  /** For moved alone: the length of the window, in seconds; 3600 is an hour. */
  readonly windowSeconds?: number | undefined;
  /** For moved alone: which way the price has to move; either when left out. */
  readonly direction?: "up" | "down" | "either" | undefined;
  /**
   * True: it fires once and ends. False: above and below fire again after the price was back by 0.1 %, moved after it moved that
   * much again, stale every time, each once a minute at most. The event that ends a stale one is sent in either case. Default
   * `true`.
   */
  readonly once?: boolean | undefined;
  /** The endpoint's id. */
  readonly endpointId: string;
  /** A name for it, of visible characters. */
  readonly name?: string | undefined;
}

/** Parameters of `assay.alerts.update`. */
export interface AlertsUpdateParams {
  /** For above and below a price, in the symbol's currency and unit; for moved a percentage of at least 0.01; not with stale. */
  readonly threshold?: Decimal | string | number | undefined;
  /** For moved alone: the length of the window, in seconds; 3600 is an hour. */
  readonly windowSeconds?: number | undefined;
  /** For moved alone: which way the price has to move; either when left out. */
  readonly direction?: "up" | "down" | "either" | undefined;
  /**
   * True: it fires once and ends. False: above and below fire again after the price was back by 0.1 %, moved after it moved that
   * much again, stale every time, each once a minute at most. The event that ends a stale one is sent in either case.
   */
  readonly once?: boolean | undefined;
  /** The endpoint's id. */
  readonly endpointId?: string | undefined;
  /** A name for it, of visible characters. */
  readonly name?: string | undefined;
}

/** List your alerts; make an alert; an alert; change an alert; delete an alert. */
export class AlertsResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * List your alerts.
   *
   * All alerts of your organisation, newest first, and how many your tier allows.
   *
   * `GET /v1/account/alerts`. Needs a key. Does not count against the monthly quota.
   * @param options settings of this call
   * @returns The alerts of an organisation.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  list(options: RequestOptions = {}): ApiPromise<AlertList, Wire.AlertList> {
    return this.#client.call(alertsList, {}, options);
  }

  /**
   * Make an alert.
   *
   * Sends an event to one of your endpoints when a price does what you wait for. `above` and `below` fire when a published price
   * crosses the threshold from the other side, `moved` when it differs by `threshold` percent from the lowest (up) or the highest
   * (down) of the last `windowSeconds`, also of those before it was made, `stale` when the symbol goes stale while its market is
   * open, and again (`price.fresh`) when it is fresh. An alert whose condition is true already answers `alreadyTrue` and does not
   * fire until it was false. Nothing fires on a stale, unconfirmed or withdrawn price; if the price that fired is withdrawn
   * later, `price.withdrawn` follows. Alerts of Free are judged on prices 15 minutes late, as it sees them. Symbols are those of
   * `/v1/spot/{symbol}`. Gold is priced in 31 currencies (XAU-EUR-SPOT), silver and copper in USD. XAG and HG need Pro. With an
   * Idempotency-Key, a retry within 24 hours returns the same response.
   *
   * `POST /v1/account/alerts`. Needs a key. Does not count against the monthly quota.
   * @param params parameters of the request
   * @param options settings of this call
   * @returns An alert that was made or changed.
   * @throws {InvalidSymbolError} The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {NotFoundError} The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or
   *   there is no archive for that year, no price that early, or no live surface for that metal.
   * @throws {EndpointNotFoundError} The caller's organisation has no endpoint with that id.
   * @throws {AlertLimitReachedError} A new alert is requested while the organisation has `maxAlerts` of its tier, those that
   *   have fired included.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  create(params: AlertsCreateParams, options: RequestOptions = {}): ApiPromise<ChangedAlert, Wire.ChangedAlert> {
    return this.#client.call(alertsCreate, params, options);
  }

  /**
   * An alert.
   *
   * One alert of your organisation, and where it is.
   *
   * `GET /v1/account/alerts/{alert_id}`. Needs a key. Does not count against the monthly quota.
   * @param alertId The alert's id, for example `al_5Jq1vZ0mT8yXc4Rb`
   * @param options settings of this call
   * @returns A price alert: its condition, its endpoint, and whether it has fired.
   * @throws {AlertNotFoundError} The caller's organisation has no alert with that id.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  get(alertId: string, options: RequestOptions = {}): ApiPromise<Alert, Wire.Alert> {
    return this.#client.call(alertsGet, { alertId }, options);
  }

  /**
   * Change an alert.
   *
   * Changes the fields that are given; symbol and kind stay. With `threshold`, `windowSeconds`, `direction` or `once` it is
   * judged afresh, as if it was made now: so one that has fired is armed again.
   *
   * `PATCH /v1/account/alerts/{alert_id}`. Needs a key. Does not count against the monthly quota.
   * @param alertId The alert's id, for example `al_5Jq1vZ0mT8yXc4Rb`
   * @param params parameters of the request
   * @param options settings of this call
   * @returns An alert that was made or changed.
   * @throws {AlertNotFoundError} The caller's organisation has no alert with that id.
   * @throws {EndpointNotFoundError} The caller's organisation has no endpoint with that id.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, PayloadTooLargeError,
   *   UnsupportedMediaTypeError.
   */
  update(
    alertId: string,
    params: AlertsUpdateParams = {},
    options: RequestOptions = {},
  ): ApiPromise<ChangedAlert, Wire.ChangedAlert> {
    return this.#client.call(alertsUpdate, { alertId, ...params }, options);
  }

  /**
   * Delete an alert.
   *
   * Deletes one of your alerts: it fires no more. Events that are on their way are still delivered.
   *
   * `DELETE /v1/account/alerts/{alert_id}`. Needs a key. Does not count against the monthly quota.
   * @param alertId The alert's id, for example `al_5Jq1vZ0mT8yXc4Rb`
   * @param options settings of this call
   * @returns nothing
   * @throws {AlertNotFoundError} The caller's organisation has no alert with that id.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, KeyInGraceError, RateLimitExceededError, RateLimitedError, ValidationError.
   */
  delete(alertId: string, options: RequestOptions = {}): ApiPromise<void, void> {
    return this.#client.call(alertsDelete, { alertId }, options);
  }
}
