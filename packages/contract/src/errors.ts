/** Every error code of the API: its status, its meaning, and the fields its body adds. */
import { z } from "zod";
import { TIER_NAMES } from "./tiers.ts";
import { CURRENCIES, clockReading, RATIO_PAIRS } from "./values.ts";
import { CONVERT_METAL_LIST, inWords, UNIT_CHOICE } from "./wording.ts";

export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  /** What the caller reads. Never exposes internal detail. */
  readonly message: string;
  /** When it is returned, for the documents. */
  readonly condition: string;
  /** What the caller can do about it, for the documents. */
  readonly remedy: string;
  /** Fields its body adds to error, message and request_id. */
  readonly fields?: z.ZodObject;
}

const gated = z.object({
  tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
  required_tier: z.enum(TIER_NAMES).meta({ description: "The lowest tier that includes it" }),
});
const limited = z.object({
  limit: z.int().meta({ description: "Requests allowed in the window" }),
  window: z
    .enum(["minute", "hour", "month", "streams"])
    .meta({ description: "The exhausted window; `streams` if too many are open at once" }),
  retry_after_seconds: z.int().meta({ description: "Seconds until the next request is allowed" }),
  reset_at: z.iso.datetime({ precision: 0 }).meta({ description: "When the window resets" }),
});
const invalid = z.object({
  issues: z
    .array(
      z
        .object({
          path: z.array(z.union([z.string(), z.int()])).meta({ description: "Where the parameter is, for example query, limit" }),
          code: z.string().meta({ description: "The kind of error" }),
          message: z.string().meta({ description: "What is expected" }),
        })
        .meta({ title: "ValidationIssue", description: "One invalid parameter" }),
    )
    .meta({ description: "Every invalid parameter" }),
});
/** One invalid parameter, as `validation_error` lists it. */
export type ValidationIssue = z.output<typeof invalid>["issues"][number];
const unrecorded = z.object({
  ledger_starts_at: clockReading("The first instant from then on that can be answered"),
});
const symbolFault = z.object({
  symbol: z.string().meta({ description: "The symbol as given" }),
  hint: z.string().meta({ description: "How symbols are written" }),
});

/** Accepted spellings of a symbol; the hint of `invalid_symbol`. */
export const SYMBOL_HINT = "Symbols are BASE-QUOTE-CONTRACT, for example XAU-USD-SPOT, XAU-EUR-SPOT or HG-USD-FUTURES.";

/** The table. A code that is not listed here does not exist. */
export const ERRORS = {
  invalid_symbol: {
    status: 400,
    message: "The symbol is not available.",
    condition: "The symbol is unavailable, or not of the form BASE-QUOTE-CONTRACT.",
    remedy: "Write the symbol as BASE-QUOTE-CONTRACT; `/v1/prices` without a symbol lists those of your tier.",
    fields: symbolFault,
  },
  bad_request: {
    status: 400,
    message: "A parameter cannot be used.",
    condition:
      "A parameter of history, settlements, forward view, convert or ratios cannot be used: a date that does not exist, `from` after `to`, or an amount that is not positive.",
    remedy: "Fix the parameter named in `message`.",
  },
  unsupported_currency: {
    status: 400,
    message: "The currency is not supported.",
    condition:
      "A currency or metal of the conversion, or the currency of the karat table, a badge or an embedded page, is not supported.",
    remedy: `Use ${CONVERT_METAL_LIST} (convert only) or one of the ${CURRENCIES.length} currency codes.`,
  },
  unsupported_unit: {
    status: 400,
    message: `The unit must be ${UNIT_CHOICE}.`,
    condition: `The unit is not ${UNIT_CHOICE}.`,
    remedy: `Use ${UNIT_CHOICE}.`,
  },
  range_too_deep: {
    status: 400,
    message: "The range reaches further back than your tier allows.",
    condition: "`from` or `at` is further back than the tier allows, or an intraday range starts more than 30 days ago.",
    remedy: "Use a later `from` or `at`, or a tier that reaches further back.",
  },
  unknown_past: {
    status: 400,
    message: "What was known then is not recorded.",
    condition: "`known_at` is before the service began to record revisions, or in a time that a restored backup lacks.",
    remedy: "Use `ledger_starts_at` or a later instant.",
    fields: unrecorded,
  },
  unknown_pair: {
    status: 400,
    message: "The ratio pair is unknown.",
    condition: "The pair is not one of the supported pairs.",
    remedy: `Use ${inWords(RATIO_PAIRS, "or")}.`,
  },
  invalid_api_key: {
    status: 401,
    message: "The API key is not valid.",
    condition: "The key is malformed, unknown, revoked or in the wrong place, or the request has more than one key.",
    remedy: "Send one active key, as `Authorization: Bearer` or `X-API-Key`.",
  },
  unauthenticated: {
    status: 401,
    message: "This route needs an API key.",
    condition: "The route needs a key, and the request has none.",
    remedy: "Send your key as `Authorization: Bearer <API_KEY>`.",
  },
  authentication_required: {
    status: 401,
    message: "Downloads need an API key.",
    condition: "The download needs a key, and the request has none.",
    remedy: "Send your key as `Authorization: Bearer <API_KEY>`.",
  },
  plan_gated: {
    status: 403,
    message: "Your tier does not include this.",
    condition: "The tier does not include the route, metal, symbol, contract or interval.",
    remedy: "Use a key of at least the tier in `required_tier`, or request less.",
    fields: gated,
  },
  link_expired: {
    status: 403,
    message: "The link is not valid or has expired.",
    condition: "The link to an archive was modified, or is older than one hour.",
    remedy: "Request a new link from `/v1/download`.",
  },
  key_in_grace: {
    status: 403,
    message: "This key has been replaced and can no longer change anything.",
    condition:
      "The key was replaced by a newer one and is in its last 24 hours: it reads, and gets the response to its own rotation again, but changes nothing.",
    remedy: "Use the key that replaced it, or another active key of your organisation.",
  },
  not_found: {
    status: 404,
    message: "There is no such resource.",
    condition:
      "The path, the spot symbol, the country, or the metal of a badge or embedded page is unknown; or there is no archive for that year, no price that early, or no live surface for that metal.",
    remedy: "Check the path against the documentation. Archives and surfaces that do not exist yet are created automatically.",
  },
  disabled: {
    status: 404,
    message: "The operator has disabled this feature.",
    condition: "The operator has disabled bars, ratios or downloads.",
    remedy: "Contact the operator.",
  },
  key_not_found: {
    status: 404,
    message: "There is no such key.",
    condition: "The caller's organisation has no key with that id.",
    remedy: "List your keys and use one of their ids.",
  },
  alert_not_found: {
    status: 404,
    message: "There is no such alert.",
    condition: "The caller's organisation has no alert with that id.",
    remedy: "List your alerts and use one of their ids.",
  },
  endpoint_not_found: {
    status: 404,
    message: "There is no such endpoint.",
    condition: "The caller's organisation has no endpoint with that id.",
    remedy: "List your endpoints and use one of their ids.",
  },
  delivery_not_found: {
    status: 404,
    message: "There is no such delivery.",
    condition: "The caller's organisation has no delivery with that id, or it is older than 30 days.",
    remedy: "List your deliveries and use one of their ids.",
  },
  unknown_metal: {
    status: 404,
    message: "The metal is unknown.",
    condition: "The metal of a surface or signals request is unknown.",
    remedy: "Use xau or xag.",
  },
  unknown_horizon: {
    status: 404,
    message: "The horizon is unknown.",
    condition: "The horizon is a date, but not one of the live horizons.",
    remedy: "Use a horizon from the expiries route.",
  },
  method_not_allowed: {
    status: 405,
    message: "This path does not support that method.",
    condition: "The path exists, but does not support the method.",
    remedy: "Use a method listed in the `Allow` header.",
  },
  key_limit_reached: {
    status: 409,
    message: "The organisation has the maximum number of keys.",
    condition: "A new key is requested while the organisation has 20 keys, including those in their grace period.",
    remedy: "Revoke a key that is no longer used, or wait until a grace period ends.",
  },
  alert_limit_reached: {
    status: 409,
    message: "The organisation has as many alerts as its tier allows.",
    condition: "A new alert is requested while the organisation has `max_alerts` of its tier, those that have fired included.",
    remedy: "Delete an alert that is no longer needed, or use a higher tier.",
  },
  endpoint_limit_reached: {
    status: 409,
    message: "The organisation has the maximum number of endpoints.",
    condition: "A new endpoint is requested while the organisation has 20.",
    remedy: "Delete an endpoint that is no longer used.",
  },
  endpoint_in_use: {
    status: 409,
    message: "Alerts are sent to this endpoint.",
    condition: "An endpoint is to be deleted while alerts are sent to it.",
    remedy: "Delete those alerts, or give them another endpoint, first.",
  },
  payload_too_large: {
    status: 413,
    message: "The body is larger than 64 KiB.",
    condition: "The request body is larger than the route reads: 64 KiB, or what `message` says.",
    remedy: "Send a smaller body, or several requests.",
  },
  unsupported_media_type: {
    status: 415,
    message: "The body must not be compressed.",
    condition: "The request body has a `Content-Encoding`.",
    remedy: "Send the body as it is, without `Content-Encoding`.",
  },
  validation_error: {
    status: 422,
    message: "A parameter is not valid.",
    condition: "A parameter is missing, unknown, repeated, of the wrong type, too long or out of range.",
    remedy: "Fix the parameters listed in `issues`; remove those the route does not have. Names that begin with `_` are ignored.",
    fields: invalid,
  },
  invalid_horizon: {
    status: 422,
    message: "The horizon must be an ISO date.",
    condition: "The horizon is not an ISO date.",
    remedy: "Write the horizon as YYYY-MM-DD.",
  },
  rate_limited: {
    status: 429,
    message: "The hourly limit without a key is used up.",
    condition: "An IP address exceeded the hourly limit for requests without a key.",
    remedy: "Wait `Retry-After` seconds, or use a key.",
    fields: limited,
  },
  rate_limit_exceeded: {
    status: 429,
    message: "Too many requests in this minute.",
    condition:
      "The per-minute limit of the tier (or, without a key, of the IP address) is exceeded, or the key, or the address of a caller without one, has as many streams open as its tier allows.",
    remedy: "Wait `Retry-After` seconds.",
    fields: limited,
  },
  quota_exceeded: {
    status: 429,
    message: "The monthly quota is used up.",
    condition: "The tier's monthly quota is exhausted.",
    remedy: "Wait for the next month, or use a higher tier; retrying does not help.",
    fields: limited,
  },
  storage_unavailable: {
    status: 500,
    message: "The archive storage failed.",
    condition: "The archive storage failed during a download.",
    remedy: "Retry later.",
  },
  storage_error: {
    status: 503,
    message: "The archive storage does not respond.",
    condition: "The archive storage does not respond.",
    remedy: "Retry after `Retry-After` seconds.",
  },
  auth_unavailable: {
    status: 503,
    message: "Keys cannot be verified at the moment.",
    condition: "The database of keys does not respond.",
    remedy: "Retry after `Retry-After` seconds.",
  },
  spot_unavailable: {
    status: 503,
    message: "There is no spot price at the moment.",
    condition:
      "No spot price or currency rate is available for the request; `message` names what is missing. `GET /v1/spot/{symbol}` answers it with `format=text` only: its JSON row has no `price` then.",
    remedy: "Retry after `Retry-After` seconds.",
  },
  no_horizons_available: {
    status: 503,
    message: "There are no horizons at the moment.",
    condition: "The forward view has no horizons.",
    remedy: "Retry after `Retry-After` seconds.",
  },
  service_unavailable: {
    status: 503,
    message: "The service cannot handle this request at the moment.",
    condition:
      "The database or cache behind the route does not respond, the service is still starting, or there is no figure yet for `format=text`.",
    remedy: "Retry after `Retry-After` seconds.",
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of the table. */
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]; // the keys of a literal

type FieldsOf<C extends ErrorCode> = (typeof ERRORS)[C] extends { fields: infer F extends z.ZodObject } ? z.output<F> : unknown;

/** What a verb may pass with a code: the body's extra fields, and a message where the table's is too general. */
export type ErrorDetail<C extends ErrorCode> = { message?: string } & FieldsOf<C>;

/** The body of any error: code, message, request id, and the code's own fields. */
export const errorBody = (code: ErrorCode) => {
  const entry: ErrorEntry = ERRORS[code];
  const base = z.object({
    error: z.literal(code).meta({ description: "Machine code" }),
    message: z.string().meta({ description: "Human-readable message" }),
    request_id: z.string().meta({ description: "The id of the request, also in X-Request-Id" }),
  });
  return entry.fields ? base.extend(entry.fields.shape) : base;
};
