/**
 * `assay.spot`: One spot price.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import type { ApiPromise } from "../../core/api-promise.ts";
import type { Client } from "../../core/client.ts";
import type { RequestOptions } from "../../core/options.ts";
import { spotGet, spotReceipt } from "../operations.ts";
import type { SpotRow } from "../types.ts";
import type { Open, SpotGroup, SpotName } from "../values.ts";
import type * as Wire from "../wire.ts";

/** What `assay.spot.get` can be asked. */
export interface SpotGetParams {
  /** Groups to add: sources, karat, stats, all. Unknown ones are ignored; stats needs a key. */
  readonly include?: readonly SpotGroup[] | undefined;
}

/** One spot price. */
export class SpotResource {
  readonly #client: Client;

  /** Made by the client. */
  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * One spot price.
   *
   * One row without an envelope. Free and keyless prices are 15 minutes late. XAG and HG need Pro.
   *
   * `GET /v1/spot/{symbol}`. Takes a key, but needs none. Counts against the monthly quota.
   * @param symbol Symbol or alias, for example `XAU-USD-SPOT`
   * @param params what is asked for
   * @param options settings of this call
   * @returns One priced symbol.
   * @throws {InvalidSymbolError} The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT.
   * @throws {PlanGatedError} The tier does not include the route, symbol, contract or interval.
   * @throws {NotFoundError} The path, spot symbol, country or shown metal is unknown, or there is no archive for that year or
   *   no live surface for that metal.
   * @throws {ServiceUnavailableError} The database or cache behind the route does not respond, or the service is still
   *   starting.
   * @throws {ApiError} Whatever follows from keys, limits and parameters: InvalidApiKeyError, AuthUnavailableError,
   *   RateLimitExceededError, RateLimitedError, QuotaExceededError, ValidationError.
   */
  get(symbol: Open<SpotName>, params: SpotGetParams = {}, options: RequestOptions = {}): ApiPromise<SpotRow, Wire.SpotRow> {
    return this.#client.call(spotGet, { symbol, ...params }, options);
  }

  /**
   * What {@link SpotResource.get} answers, as a receipt: signed by the service, for an invoice or a dispute.
   *
   * Keep the text as it is, and a copy of the keys at `/.well-known/jwks.json`. `verifyReceipt` of `@assay/sdk/receipts` verifies
   * it offline, and so does any JOSE library.
   *
   * `GET /v1/spot/{symbol}?format=jws`. Access, delay, limits and quota are those of {@link SpotResource.get}.
   * @param symbol Symbol or alias, for example `XAU-USD-SPOT`
   * @param params what is asked for
   * @param options settings of this call
   * @returns the receipt: a compact JWS (RFC 7515), signed with EdDSA
   * @throws {ApiError} What {@link SpotResource.get} throws.
   * @throws {UnreadableAnswerError} The service answered with something else, as versions without receipts do.
   */
  receipt(symbol: Open<SpotName>, params: SpotGetParams = {}, options: RequestOptions = {}): ApiPromise<string> {
    return this.#client.call(spotReceipt, { symbol, ...params }, options);
  }
}
