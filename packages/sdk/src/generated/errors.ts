/**
 * One class per error code of the service, each a subclass of the class of its status.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */
import { errorBrand } from "../core/brand.ts";
import { ApiError, type ApiErrorDetails, type ErrorRegistry, Http5xxError, instantOf, registryOf } from "../core/errors.ts";
import type { ValidationIssue } from "./types.ts";
import type { TierName } from "./values.ts";
import type * as Wire from "./wire.ts";

/** The body of each code as the contract declares it; it is not validated here. */
const bodyOf = <Body>(details: ApiErrorDetails): Body => (details.body ?? {}) as Body;

/**
 * Status 400. Codes with a class of their own: {@link InvalidSymbolError}, {@link BadRequestError},
 * {@link UnsupportedCurrencyError}, {@link UnsupportedUnitError}, {@link RangeTooDeepError}, {@link UnknownPastError},
 * {@link UnknownPairError}.
 */
export class Http400Error extends ApiError {
  static {
    errorBrand(Http400Error, "Http400Error");
  }
}

/**
 * `invalid_symbol`: The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT.
 *
 * What to do: Write the symbol as BASE-QUOTE-CONTRACT; `/v1/prices` without a symbol lists those of your tier.
 */
export class InvalidSymbolError extends Http400Error {
  static {
    errorBrand(InvalidSymbolError, "InvalidSymbolError");
  }

  /** The symbol as given. */
  readonly symbol: string;
  /** How symbols are written. */
  readonly hint: string;

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.InvalidSymbolBody>(details);
    this.symbol = body.symbol;
    this.hint = body.hint;
  }
}

/**
 * `bad_request`: A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that does not exist,
 * `from` after `to`, or an amount that is not positive.
 *
 * What to do: Fix the parameter named in `message`.
 */
export class BadRequestError extends Http400Error {
  static {
    errorBrand(BadRequestError, "BadRequestError");
  }
}

/**
 * `unsupported_currency`: A currency or metal of the conversion, or the currency of the karat table, a badge or an embedded page,
 * is not supported.
 *
 * What to do: Use XAU, XAG (convert only) or one of the 31 currency codes.
 */
export class UnsupportedCurrencyError extends Http400Error {
  static {
    errorBrand(UnsupportedCurrencyError, "UnsupportedCurrencyError");
  }
}

/**
 * `unsupported_unit`: The unit is not oz, gram or kg.
 *
 * What to do: Use oz, gram or kg.
 */
export class UnsupportedUnitError extends Http400Error {
  static {
    errorBrand(UnsupportedUnitError, "UnsupportedUnitError");
  }
}

/**
 * `range_too_deep`: `from` or `at` is further back than the tier allows, or an intraday range starts more than 30 days ago.
 *
 * What to do: Use a later `from` or `at`, or a tier that reaches further back.
 */
export class RangeTooDeepError extends Http400Error {
  static {
    errorBrand(RangeTooDeepError, "RangeTooDeepError");
  }
}

/**
 * `unknown_past`: `known_at` is before the service began to record revisions, or in a time that a restored backup lacks.
 *
 * What to do: Use `ledgerStartsAt` or a later instant.
 */
export class UnknownPastError extends Http400Error {
  static {
    errorBrand(UnknownPastError, "UnknownPastError");
  }

  /** The first instant from then on that can be answered, with milliseconds. Null if the response does not say. */
  readonly ledgerStartsAt: Date | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.UnknownPastBody>(details);
    this.ledgerStartsAt = instantOf(body.ledger_starts_at);
  }
}

/**
 * `unknown_pair`: The pair is not one of the supported pairs.
 *
 * What to do: Use gold-silver, gold-platinum, silver-platinum, gold-palladium or gld-xau.
 */
export class UnknownPairError extends Http400Error {
  static {
    errorBrand(UnknownPairError, "UnknownPairError");
  }
}

/**
 * Status 401. Codes with a class of their own: {@link InvalidApiKeyError}, {@link UnauthenticatedError},
 * {@link AuthenticationRequiredError}.
 */
export class Http401Error extends ApiError {
  static {
    errorBrand(Http401Error, "Http401Error");
  }
}

/**
 * `invalid_api_key`: The key is malformed, unknown, revoked or in the wrong place, or the request has more than one key.
 *
 * What to do: Send one active key, as `Authorization: Bearer` or `X-API-Key`.
 */
export class InvalidApiKeyError extends Http401Error {
  static {
    errorBrand(InvalidApiKeyError, "InvalidApiKeyError");
  }
}

/**
 * `unauthenticated`: The route needs a key, and the request has none.
 *
 * What to do: Send your key as `Authorization: Bearer <API_KEY>`.
 */
export class UnauthenticatedError extends Http401Error {
  static {
    errorBrand(UnauthenticatedError, "UnauthenticatedError");
  }
}

/**
 * `authentication_required`: The download needs a key, and the request has none.
 *
 * What to do: Send your key as `Authorization: Bearer <API_KEY>`.
 */
export class AuthenticationRequiredError extends Http401Error {
  static {
    errorBrand(AuthenticationRequiredError, "AuthenticationRequiredError");
  }
}

/** Status 403. Codes with a class of their own: {@link PlanGatedError}, {@link LinkExpiredError}, {@link KeyInGraceError}. */
export class Http403Error extends ApiError {
  static {
    errorBrand(Http403Error, "Http403Error");
  }
}

/**
 * `plan_gated`: The tier does not include the route, metal, symbol, contract or interval.
 *
 * What to do: Use a key of at least the tier in `requiredTier`, or request less.
 */
export class PlanGatedError extends Http403Error {
  static {
    errorBrand(PlanGatedError, "PlanGatedError");
  }

  /** The caller's tier. Null if the response does not say. */
  readonly tier: TierName | null;
  /** The lowest tier that includes it. */
  readonly requiredTier: TierName;

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.PlanGatedBody>(details);
    this.tier = body.tier ?? null;
    this.requiredTier = body.required_tier;
  }
}

/**
 * `link_expired`: The link to an archive was modified, or is older than one hour.
 *
 * What to do: Request a new link from `/v1/download`.
 */
export class LinkExpiredError extends Http403Error {
  static {
    errorBrand(LinkExpiredError, "LinkExpiredError");
  }
}

/**
 * `key_in_grace`: The key was replaced by a newer one and is in its last 24 hours: it reads, and gets the response to its own
 * rotation again, but changes nothing.
 *
 * What to do: Use the key that replaced it, or another active key of your organisation.
 */
export class KeyInGraceError extends Http403Error {
  static {
    errorBrand(KeyInGraceError, "KeyInGraceError");
  }
}

/**
 * Status 404. Codes with a class of their own: {@link NotFoundError}, {@link DisabledError}, {@link KeyNotFoundError},
 * {@link AlertNotFoundError}, {@link EndpointNotFoundError}, {@link DeliveryNotFoundError}, {@link UnknownMetalError},
 * {@link UnknownHorizonError}.
 */
export class Http404Error extends ApiError {
  static {
    errorBrand(Http404Error, "Http404Error");
  }
}

/**
 * `not_found`: The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or there is no
 * archive for that year, no price that early, or no live surface for that metal.
 *
 * What to do: Check the path against the documentation. Archives and surfaces that do not exist yet are created automatically.
 */
export class NotFoundError extends Http404Error {
  static {
    errorBrand(NotFoundError, "NotFoundError");
  }
}

/**
 * `disabled`: The operator has disabled bars, ratios or downloads.
 *
 * What to do: Contact the operator.
 */
export class DisabledError extends Http404Error {
  static {
    errorBrand(DisabledError, "DisabledError");
  }
}

/**
 * `key_not_found`: The caller's organisation has no key with that id.
 *
 * What to do: List your keys and use one of their ids.
 */
export class KeyNotFoundError extends Http404Error {
  static {
    errorBrand(KeyNotFoundError, "KeyNotFoundError");
  }
}

/**
 * `alert_not_found`: The caller's organisation has no alert with that id.
 *
 * What to do: List your alerts and use one of their ids.
 */
export class AlertNotFoundError extends Http404Error {
  static {
    errorBrand(AlertNotFoundError, "AlertNotFoundError");
  }
}

/**
 * `endpoint_not_found`: The caller's organisation has no endpoint with that id.
 *
 * What to do: List your endpoints and use one of their ids.
 */
export class EndpointNotFoundError extends Http404Error {
  static {
    errorBrand(EndpointNotFoundError, "EndpointNotFoundError");
  }
}

/**
 * `delivery_not_found`: The caller's organisation has no delivery with that id, or it is older than 30 days.
 *
 * What to do: List your deliveries and use one of their ids.
 */
export class DeliveryNotFoundError extends Http404Error {
  static {
    errorBrand(DeliveryNotFoundError, "DeliveryNotFoundError");
  }
}

/**
 * `unknown_metal`: The metal of a surface or signals request is unknown.
 *
 * What to do: Use xau or xag.
 */
export class UnknownMetalError extends Http404Error {
  static {
    errorBrand(UnknownMetalError, "UnknownMetalError");
  }
}

/**
 * `unknown_horizon`: The horizon is a date, but not one of the live horizons.
 *
 * What to do: Use a horizon from the expiries route.
 */
export class UnknownHorizonError extends Http404Error {
  static {
    errorBrand(UnknownHorizonError, "UnknownHorizonError");
  }
}

/** Status 405. Codes with a class of their own: {@link MethodNotAllowedError}. */
export class Http405Error extends ApiError {
  static {
    errorBrand(Http405Error, "Http405Error");
  }
}

/**
 * `method_not_allowed`: The path exists, but does not support the method.
 *
 * What to do: Use a method listed in the `Allow` header.
 */
export class MethodNotAllowedError extends Http405Error {
  static {
    errorBrand(MethodNotAllowedError, "MethodNotAllowedError");
  }
}

/**
 * Status 409. Codes with a class of their own: {@link KeyLimitReachedError}, {@link AlertLimitReachedError},
 * {@link EndpointLimitReachedError}, {@link EndpointInUseError}.
 */
export class Http409Error extends ApiError {
  static {
    errorBrand(Http409Error, "Http409Error");
  }
}

/**
 * `key_limit_reached`: A new key is requested while the organisation has 20 keys, including those in their grace period.
 *
 * What to do: Revoke a key that is no longer used, or wait until a grace period ends.
 */
export class KeyLimitReachedError extends Http409Error {
  static {
    errorBrand(KeyLimitReachedError, "KeyLimitReachedError");
  }
}

/**
 * `alert_limit_reached`: A new alert is requested while the organisation has `max_alerts` of its tier, those that have fired
 * included.
 *
 * What to do: Delete an alert that is no longer needed, or use a higher tier.
 */
export class AlertLimitReachedError extends Http409Error {
  static {
    errorBrand(AlertLimitReachedError, "AlertLimitReachedError");
  }
}

/**
 * `endpoint_limit_reached`: A new endpoint is requested while the organisation has 20.
 *
 * What to do: Delete an endpoint that is no longer used.
 */
export class EndpointLimitReachedError extends Http409Error {
  static {
    errorBrand(EndpointLimitReachedError, "EndpointLimitReachedError");
  }
}

/**
 * `endpoint_in_use`: An endpoint is to be deleted while alerts are sent to it.
 *
 * What to do: Delete those alerts, or give them another endpoint, first.
 */
export class EndpointInUseError extends Http409Error {
  static {
    errorBrand(EndpointInUseError, "EndpointInUseError");
  }
}

/** Status 413. Codes with a class of their own: {@link PayloadTooLargeError}. */
export class Http413Error extends ApiError {
  static {
    errorBrand(Http413Error, "Http413Error");
  }
}

/**
 * `payload_too_large`: The request body is larger than the route reads: 64 KiB, or what `message` says.
 *
 * What to do: Send a smaller body, or several requests.
 */
export class PayloadTooLargeError extends Http413Error {
  static {
    errorBrand(PayloadTooLargeError, "PayloadTooLargeError");
  }
}

/** Status 415. Codes with a class of their own: {@link UnsupportedMediaTypeError}. */
export class Http415Error extends ApiError {
  static {
    errorBrand(Http415Error, "Http415Error");
  }
}

/**
 * `unsupported_media_type`: The request body has a `Content-Encoding`.
 *
 * What to do: Send the body as it is, without `Content-Encoding`.
 */
export class UnsupportedMediaTypeError extends Http415Error {
  static {
    errorBrand(UnsupportedMediaTypeError, "UnsupportedMediaTypeError");
  }
}

/** Status 422. Codes with a class of their own: {@link ValidationError}, {@link InvalidHorizonError}. */
export class Http422Error extends ApiError {
  static {
    errorBrand(Http422Error, "Http422Error");
  }
}

/**
 * `validation_error`: A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.
 *
 * What to do: Fix the parameters listed in `issues`; remove those the route does not have. Names that begin with `_` are ignored.
 */
export class ValidationError extends Http422Error {
  static {
    errorBrand(ValidationError, "ValidationError");
  }

  /** Every invalid parameter. */
  readonly issues: readonly ValidationIssue[];

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.ValidationBody>(details);
    this.issues = body.issues ?? [];
  }
}

/**
 * `invalid_horizon`: The horizon is not an ISO date.
 *
 * What to do: Write the horizon as YYYY-MM-DD.
 */
export class InvalidHorizonError extends Http422Error {
  static {
    errorBrand(InvalidHorizonError, "InvalidHorizonError");
  }
}

/**
 * Status 429. Codes with a class of their own: {@link RateLimitedError}, {@link RateLimitExceededError},
 * {@link QuotaExceededError}.
 */
export class Http429Error extends ApiError {
  static {
    errorBrand(Http429Error, "Http429Error");
  }
}

/**
 * `rate_limited`: An IP address exceeded the hourly limit for requests without a key.
 *
 * What to do: Wait `Retry-After` seconds, or use a key.
 */
export class RateLimitedError extends Http429Error {
  static {
    errorBrand(RateLimitedError, "RateLimitedError");
  }

  /** Requests allowed in the window. */
  readonly limit: number;
  /** The exhausted window; `streams` if too many are open at once. */
  readonly window: "minute" | "hour" | "month" | "streams";
  /** When the window resets. Null if the response does not say. */
  readonly resetAt: Date | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.RateLimitedBody>(details);
    this.limit = body.limit;
    this.window = body.window;
    this.resetAt = instantOf(body.reset_at);
  }
}

/**
 * `rate_limit_exceeded`: The per-minute limit of the tier (or, without a key, of the IP address) is exceeded, or the key, or the
 * address of a caller without one, has as many streams open as its tier allows.
 *
 * What to do: Wait `Retry-After` seconds.
 */
export class RateLimitExceededError extends Http429Error {
  static {
    errorBrand(RateLimitExceededError, "RateLimitExceededError");
  }

  /** Requests allowed in the window. */
  readonly limit: number;
  /** The exhausted window; `streams` if too many are open at once. */
  readonly window: "minute" | "hour" | "month" | "streams";
  /** When the window resets. Null if the response does not say. */
  readonly resetAt: Date | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.RateLimitExceededBody>(details);
    this.limit = body.limit;
    this.window = body.window;
    this.resetAt = instantOf(body.reset_at);
  }
}

/**
 * `quota_exceeded`: The tier's monthly quota is exhausted.
 *
 * What to do: Wait for the next month, or use a higher tier; retrying does not help.
 */
export class QuotaExceededError extends Http429Error {
  static {
    errorBrand(QuotaExceededError, "QuotaExceededError");
  }

  /** Requests allowed in the window. */
  readonly limit: number;
  /** The exhausted window; `streams` if too many are open at once. */
  readonly window: "minute" | "hour" | "month" | "streams";
  /** When the window resets. Null if the response does not say. */
  readonly resetAt: Date | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    const body = bodyOf<Wire.QuotaExceededBody>(details);
    this.limit = body.limit;
    this.window = body.window;
    this.resetAt = instantOf(body.reset_at);
  }
}

/** Status 500. Codes with a class of their own: {@link StorageUnavailableError}. */
export class Http500Error extends Http5xxError {
  static {
    errorBrand(Http500Error, "Http500Error");
  }
}

/**
 * `storage_unavailable`: The archive storage failed during a download.
 *
 * What to do: Retry later.
 */
export class StorageUnavailableError extends Http500Error {
  static {
    errorBrand(StorageUnavailableError, "StorageUnavailableError");
  }
}

/**
 * Status 503. Codes with a class of their own: {@link StorageError}, {@link AuthUnavailableError}, {@link SpotUnavailableError},
 * {@link NoHorizonsAvailableError}, {@link ServiceUnavailableError}.
 */
export class Http503Error extends Http5xxError {
  static {
    errorBrand(Http503Error, "Http503Error");
  }
}

/**
 * `storage_error`: The archive storage does not respond.
 *
 * What to do: Retry after `Retry-After` seconds.
 */
export class StorageError extends Http503Error {
  static {
    errorBrand(StorageError, "StorageError");
  }
}

/**
 * `auth_unavailable`: The database of keys does not respond.
 *
 * What to do: Retry after `Retry-After` seconds.
 */
export class AuthUnavailableError extends Http503Error {
  static {
    errorBrand(AuthUnavailableError, "AuthUnavailableError");
  }
}

/**
 * `spot_unavailable`: No spot price or currency rate is available for the request; `message` names what is missing. `GET
 * /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.
 *
 * What to do: Retry after `Retry-After` seconds.
 */
export class SpotUnavailableError extends Http503Error {
  static {
    errorBrand(SpotUnavailableError, "SpotUnavailableError");
  }
}

/**
 * `no_horizons_available`: The forward view has no horizons.
 *
 * What to do: Retry after `Retry-After` seconds.
 */
export class NoHorizonsAvailableError extends Http503Error {
  static {
    errorBrand(NoHorizonsAvailableError, "NoHorizonsAvailableError");
  }
}

/**
 * `service_unavailable`: The database or cache behind the route does not respond, the service is still starting, or there is no
 * figure yet for `format=text`.
 *
 * What to do: Retry after `Retry-After` seconds.
 */
export class ServiceUnavailableError extends Http503Error {
  static {
    errorBrand(ServiceUnavailableError, "ServiceUnavailableError");
  }
}

/** Which class represents which response. */
export const errorRegistry: ErrorRegistry = registryOf([
  Http400Error,
  Http401Error,
  Http403Error,
  Http404Error,
  Http405Error,
  Http409Error,
  Http413Error,
  Http415Error,
  Http422Error,
  Http429Error,
  Http500Error,
  Http503Error,
  InvalidSymbolError,
  BadRequestError,
  UnsupportedCurrencyError,
  UnsupportedUnitError,
  RangeTooDeepError,
  UnknownPastError,
  UnknownPairError,
  InvalidApiKeyError,
  UnauthenticatedError,
  AuthenticationRequiredError,
  PlanGatedError,
  LinkExpiredError,
  KeyInGraceError,
  NotFoundError,
  DisabledError,
  KeyNotFoundError,
  AlertNotFoundError,
  EndpointNotFoundError,
  DeliveryNotFoundError,
  UnknownMetalError,
  UnknownHorizonError,
  MethodNotAllowedError,
  KeyLimitReachedError,
  AlertLimitReachedError,
  EndpointLimitReachedError,
  EndpointInUseError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  ValidationError,
  InvalidHorizonError,
  RateLimitedError,
  RateLimitExceededError,
  QuotaExceededError,
  StorageUnavailableError,
  StorageError,
  AuthUnavailableError,
  SpotUnavailableError,
  NoHorizonsAvailableError,
  ServiceUnavailableError,
]);
