/**
 * `assay.surface`: The probability distribution of a metal on a day; the days a metal has a surface for.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { surfaceExpiries, surfaceGet } from "../operations.ts";
import type { HorizonIndex, Surface } from "../types.ts";
import type { Open, SurfaceMetal } from "../values.ts";
import type * as Wire from "../wire.ts";

/** Parameters of `assay.surface.get`. */
export interface SurfaceGetParams {
  /** A day of the expiries route, YYYY-MM-DD. Text: a Date, which has no day without a time zone, is refused. */
  readonly horizon?: string | undefined;
}

/** The probability distribution of a metal on a day; the days a metal has a surface for. */
export class SurfaceResource {
  readonly #client: Client;

  /** Created by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * The probability distribution of a metal on a day.
   *
   * Risk-neutral probabilities from option prices and prediction markets, weighted by how tightly they are quoted. Old snapshots
   * are still served, with their true age. Without `horizon`, the default of the expiries route is used.
   *
   * `GET /v1/surface/{metal}`. Needs a key of tier Pro or higher. Counts against the monthly quota.
   * @param metal The metal, case-insensitive, for example `xau`
   * @param params parameters of the request
   * @param options settings of this call
   * @returns The probability distribution of a metal on a day.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {UnknownMetalError} The metal of a surface or signals request is unknown.
   * @throws {UnknownHorizonError} The horizon is a date, but not one of the live horizons.
   * @throws {NotFoundError} The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or
   *   there is no archive for that year, no price that early, or no live surface for that metal.
   * @throws {InvalidHorizonError} The horizon is not an ISO date.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  get(metal: Open<SurfaceMetal>, params: SurfaceGetParams = {}, options: RequestOptions = {}): ApiPromise<Surface, Wire.Surface> {
    return this.#client.call(surfaceGet, { metal, ...params }, options);
  }

  /**
   * The days a metal has a surface for.
   *
   * The live horizons by date, and the default one.
   *
   * `GET /v1/surface/{metal}/expiries`. Needs a key of tier Pro or higher. Counts against the monthly quota.
   * @param metal The metal, case-insensitive, for example `xau`
   * @param options settings of this call
   * @returns The days a metal has a surface for.
   * @throws {PlanGatedError} The tier does not include the route, metal, symbol, contract or interval.
   * @throws {UnknownMetalError} The metal of a surface or signals request is unknown.
   * @throws {NotFoundError} The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or
   *   there is no archive for that year, no price that early, or no live surface for that metal.
   * @throws {ValidationError} A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, the service is still starting,
   *   or there is no figure yet for `format=text`.
   * @throws {ApiError} Errors about keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   UnauthenticatedError, RateLimitExceededError, RateLimitedError, QuotaExceededError.
   */
  expiries(metal: Open<SurfaceMetal>, options: RequestOptions = {}): ApiPromise<HorizonIndex, Wire.HorizonIndex> {
    return this.#client.call(surfaceExpiries, { metal }, options);
  }
}
