/** Every error code of the wire: its status, what it means, and the fields its body adds. */
import { z } from "zod";
import { TIER_NAMES } from "./tiers.ts";

/** What the table holds for one code. */
export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  /** What the caller reads. It never carries detail of the inside. */
  readonly message: string;
  /** When it happens, for the documents. */
  readonly condition: string;
  /** What the caller can do about it, for the documents. */
  readonly remedy: string;
  /** Fields its body adds beside error, message and request_id. */
  readonly fields?: z.ZodObject;
}

const gated = z.object({
  tier: z.enum(TIER_NAMES).meta({ description: "The caller's tier" }),
  required_tier: z.enum(TIER_NAMES).meta({ description: "The lowest tier that may" }),
});
const limited = z.object({
  limit: z.int().meta({ description: "Requests allowed in the window" }),
  window: z
    .enum(["minute", "hour", "month", "streams"])
    .meta({ description: "The window that is used up; `streams` when too many are open at once" }),
  retry_after_seconds: z.int().meta({ description: "Seconds until a request can pass" }),
  reset_at: z.iso.datetime().meta({ description: "When the window starts anew" }),
});
const invalid = z.object({
  issues: z
    .array(
      z
        .object({
          path: z.array(z.union([z.string(), z.int()])).meta({ description: "Where it is, for example query, limit" }),
          code: z.string().meta({ description: "What kind of fault" }),
          message: z.string().meta({ description: "What is expected" }),
        })
        .meta({ title: "ValidationIssue", description: "One fault of the request" }),
    )
    .meta({ description: "Every fault found" }),
});
const symbolFault = z.object({
  symbol: z.string().meta({ description: "The symbol as given" }),
  hint: z.string().meta({ description: "The form of a symbol" }),
});

/** How a symbol is written; the hint of `invalid_symbol`. */
export const SYMBOL_HINT = "Symbols are BASE-QUOTE-CONTRACT, for example XAU-USD-SPOT, XAU-EUR-SPOT or HG-USD-FUTURES.";

/** The table. A code that is not here does not exist. */
export const ERRORS = {
  invalid_symbol: {
    status: 400,
    message: "The symbol is not available.",
    condition: "The symbol is unavailable or not of BASE-QUOTE-CONTRACT form.",
    remedy: "Write the symbol as BASE-QUOTE-CONTRACT; `/v1/prices` without a symbol lists those of your tier.",
    fields: symbolFault,
  },
  bad_request: {
    status: 400,
    message: "The request is well-formed but makes no sense.",
    condition:
      "A malformed request on history, settlements, forward view, convert or ratios: an unreadable date, `from` after `to`, an amount that is not positive.",
    remedy: "Mend the parameter the message names.",
  },
  unsupported_currency: {
    status: 400,
    message: "The currency is not supported.",
    condition: "A leg of the conversion, or the currency of the karat table, is not in the supported set.",
    remedy: "Use XAU, XAG (convert only) or one of the 31 currency codes.",
  },
  unsupported_unit: {
    status: 400,
    message: "The unit must be oz, gram or kg.",
    condition: "The unit is not oz, gram or kg.",
    remedy: "Use oz, gram or kg.",
  },
  range_too_deep: {
    status: 400,
    message: "The range reaches further back than your tier allows.",
    condition: "`from` lies before the depth of the tier, or an intraday range before the most recent 30 days.",
    remedy: "Ask for a later `from`, or use a tier with more depth.",
  },
  unknown_pair: {
    status: 400,
    message: "The ratio pair is unknown.",
    condition: "The pair is not one of the supported slugs.",
    remedy: "Use gold-silver, gold-platinum, silver-platinum, gold-palladium or gld-xau.",
  },
  invalid_api_key: {
    status: 401,
    message: "The API key is not valid.",
    condition: "A key was supplied and is malformed, unknown, revoked, or more than one key was supplied.",
    remedy: "Send one active key, as `Authorization: Bearer` or `X-API-Key`.",
  },
  unauthenticated: {
    status: 401,
    message: "This route needs an API key.",
    condition: "No key on a route that needs one.",
    remedy: "Send your key as `Authorization: Bearer <API_KEY>`.",
  },
  authentication_required: {
    status: 401,
    message: "Downloads need an API key.",
    condition: "A download without a key.",
    remedy: "Send your key as `Authorization: Bearer <API_KEY>`.",
  },
  plan_gated: {
    status: 403,
    message: "Your tier does not include this.",
    condition: "The tier does not allow the route, symbol, contract or interval.",
    remedy: "Use a key of the tier in `required_tier`, or ask for less.",
    fields: gated,
  },
  link_expired: {
    status: 403,
    message: "The link is not valid, or its hour is over.",
    condition: "A link to an archive was changed, or is older than one hour.",
    remedy: "Ask `/v1/download` for a new link.",
  },
  not_found: {
    status: 404,
    message: "There is no such resource.",
    condition:
      "The path, the spot symbol or the country is unknown, there is no archive of that year, or no live surface of that metal.",
    remedy: "Check the path against the documentation; archives and surfaces that are still to be made come by themselves.",
  },
  disabled: {
    status: 404,
    message: "This feature is switched off here.",
    condition: "The operator switched bars, ratios or downloads off.",
    remedy: "Ask the operator.",
  },
  key_not_found: {
    status: 404,
    message: "There is no such key.",
    condition: "The key id is unknown to the caller's organisation.",
    remedy: "List the keys and use one of their ids.",
  },
  key_limit_reached: {
    status: 409,
    message: "The organisation has as many keys as it may.",
    condition:
      "A mint while the organisation has 20 keys, those in grace included. The interface's own table does not have this code; it is Assay's.",
    remedy: "Revoke a key that is not used any more, or wait until one in grace has ended.",
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
    condition: "The horizon is a date, but none of the live horizons.",
    remedy: "Take a horizon from the expiries route.",
  },
  method_not_allowed: {
    status: 405,
    message: "This path does not take that method.",
    condition: "The path is known, the method is not one of its own.",
    remedy: "Use a method of the `Allow` header.",
  },
  payload_too_large: {
    status: 413,
    message: "The body is larger than 64 KiB.",
    condition: "The request body is larger than 64 KiB.",
    remedy: "Send a smaller body.",
  },
  validation_error: {
    status: 422,
    message: "A parameter is not valid.",
    condition: "A parameter is missing, repeated, of the wrong type, too long or out of range.",
    remedy: "Mend what `issues` names.",
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
    message: "The hourly allowance without a key is used up.",
    condition: "A keyless IP address exceeded its hourly allowance.",
    remedy: "Wait for `Retry-After`, or use a key.",
    fields: limited,
  },
  rate_limit_exceeded: {
    status: 429,
    message: "Too many requests in this minute.",
    condition:
      "The per-minute limit of the tier, or of the IP address without a key, is exceeded; or the key has as many streams open as its tier allows.",
    remedy: "Wait for `Retry-After`.",
    fields: limited,
  },
  quota_exceeded: {
    status: 429,
    message: "The monthly quota is used up.",
    condition: "The tier's monthly quota is exhausted.",
    remedy: "Wait for the next month or use a larger tier; a retry does not help.",
    fields: limited,
  },
  storage_unavailable: {
    status: 500,
    message: "The archive storage failed.",
    condition: "The archive storage failed on a download.",
    remedy: "Try again later.",
  },
  storage_error: {
    status: 503,
    message: "The archive storage does not answer.",
    condition: "The archive storage does not answer.",
    remedy: "Try again after `Retry-After`.",
  },
  auth_unavailable: {
    status: 503,
    message: "Keys cannot be verified at the moment.",
    condition: "The store of keys does not answer.",
    remedy: "Try again after `Retry-After`.",
  },
  spot_unavailable: {
    status: 503,
    message: "There is no spot price at the moment.",
    condition: "No spot price or currency rate is available for the request.",
    remedy: "Try again after `Retry-After`.",
  },
  no_horizons_available: {
    status: 503,
    message: "There are no horizons at the moment.",
    condition: "The forward view has no horizons.",
    remedy: "Try again after `Retry-After`.",
  },
  service_unavailable: {
    status: 503,
    message: "The service cannot answer this at the moment.",
    condition: "The store or cache behind the route does not answer, or the service is still loading.",
    remedy: "Try again after `Retry-After`.",
  },
} as const satisfies Record<string, ErrorEntry>;

/** A wire error code. */
export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of the table. */
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]; // the keys of a literal

type FieldsOf<C extends ErrorCode> = (typeof ERRORS)[C] extends { fields: infer F extends z.ZodObject } ? z.output<F> : unknown;

/** What a verb may say with a code: the fields of its body, and a message where the table's is too general. */
export type ErrorDetail<C extends ErrorCode> = { message?: string } & FieldsOf<C>;

/** The body of any error: code, message, request id, and the code's own fields. */
export const errorBody = (code: ErrorCode) => {
  const entry: ErrorEntry = ERRORS[code];
  const base = z.object({
    error: z.literal(code).meta({ description: "Machine code" }),
    message: z.string().meta({ description: "What went wrong, in words" }),
    request_id: z.string().meta({ description: "The id of the request, also in X-Request-Id" }),
  });
  return entry.fields ? base.extend(entry.fields.shape) : base;
};

/** The signal by which a verb or a check refuses a request. The pipeline turns it into an answer; it is never a fault. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly detail: Record<string, unknown>;
  constructor(code: ErrorCode, detail: Record<string, unknown> = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}
