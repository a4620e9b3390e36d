/**
 * The error codes each method can be answered with.
 *
 * Made by `npm run gen` from packages/contract; what is changed here is lost.
 */

/** Codes by method: those of the route itself, then those that follow from keys, limits and parameters. */
export interface CodesOf {
  readonly "system.health": never;
  readonly "system.status": "rate_limit_exceeded";
  readonly "tiers.list": "rate_limit_exceeded";
  readonly "publicHistory.xau": "service_unavailable";
  readonly "prices.list":
    | "invalid_symbol"
    | "plan_gated"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "prices.divergence":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "prices.history":
    | "bad_request"
    | "plan_gated"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "spot.get":
    | "invalid_symbol"
    | "plan_gated"
    | "not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "bars.list":
    | "range_too_deep"
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "bars.latest":
    | "plan_gated"
    | "validation_error"
    | "service_unavailable"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "downloads.link":
    | "not_found"
    | "plan_gated"
    | "validation_error"
    | "storage_unavailable"
    | "storage_error"
    | "disabled"
    | "invalid_api_key"
    | "auth_unavailable"
    | "authentication_required"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded";
  readonly "convert.get":
    | "unsupported_currency"
    | "unsupported_unit"
    | "bad_request"
    | "spot_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "carat.get":
    | "unsupported_currency"
    | "spot_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "quota_exceeded"
    | "validation_error";
  readonly "account.listKeys":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited";
  readonly "account.mintKey":
    | "validation_error"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "payload_too_large";
  readonly "account.revokeKey":
    | "key_not_found"
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited"
    | "validation_error";
  readonly "account.usage":
    | "service_unavailable"
    | "invalid_api_key"
    | "auth_unavailable"
    | "unauthenticated"
    | "rate_limit_exceeded"
    | "rate_limited";
}
