import { describe, expect, test } from "vitest";
import { ERROR_CODES, ERRORS, type ErrorEntry, errorBody } from "./errors.ts";
import { refused } from "./refusal.ts";

/** The status the specification gives each code. */
const SPEC: Record<string, number> = {
  invalid_symbol: 400,
  bad_request: 400,
  unsupported_currency: 400,
  unsupported_unit: 400,
  range_too_deep: 400,
  unknown_past: 400,
  unknown_pair: 400,
  invalid_api_key: 401,
  unauthenticated: 401,
  authentication_required: 401,
  plan_gated: 403,
  not_found: 404,
  disabled: 404,
  key_not_found: 404,
  unknown_metal: 404,
  unknown_horizon: 404,
  validation_error: 422,
  invalid_horizon: 422,
  rate_limited: 429,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  storage_unavailable: 500,
  storage_error: 503,
  auth_unavailable: 503,
  spot_unavailable: 503,
  no_horizons_available: 503,
};

/**
 * Codes we add to the specification's: HTTP-level refusals, expired links, keys in grace, too many keys, alerts, an unavailable
 * store.
 */
const OURS = {
  link_expired: 403,
  key_in_grace: 403,
  method_not_allowed: 405,
  key_limit_reached: 409,
  alert_not_found: 404,
  endpoint_not_found: 404,
  delivery_not_found: 404,
  alert_limit_reached: 409,
  endpoint_limit_reached: 409,
  endpoint_in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  service_unavailable: 503,
};

test("every code of the interface is in the table, with its status", () => {
  const table = Object.fromEntries(ERROR_CODES.map((code) => [code, ERRORS[code].status]));
  expect(table).toEqual({ ...SPEC, ...OURS });
});

describe.each(ERROR_CODES)("%s", (code) => {
  const entry: ErrorEntry = ERRORS[code];

  test("says what happened, when it happens and what to do, in full sentences", () => {
    for (const text of [entry.message, entry.condition, entry.remedy]) expect(text).toMatch(/^[A-Z`].{9,}\.$/s);
  });

  test("has a body of code, message, request id and its own fields, all described", () => {
    const { shape } = errorBody(code);
    expect(Object.keys(shape)).toEqual(["error", "message", "request_id", ...Object.keys(entry.fields?.shape ?? {})]);
    for (const [name, field] of Object.entries(shape)) expect(field.meta()?.description, name).toBeTruthy();
  });

  test("is distinguishable from every other by its body", () => {
    for (const other of ERROR_CODES.filter((each) => each !== code)) {
      expect(errorBody(code).safeParse({ error: other, message: "x", request_id: "x" }).success).toBe(false);
    }
  });
});

test("the codes of limits give the window, the wait and when it ends; gates give the tiers", () => {
  for (const code of ["rate_limited", "rate_limit_exceeded", "quota_exceeded"] as const) {
    expect(Object.keys(ERRORS[code].fields.shape)).toEqual(["limit", "window", "retry_after_seconds", "reset_at"]);
  }
  expect(Object.keys(ERRORS.plan_gated.fields.shape)).toEqual(["tier", "required_tier"]);
  expect(Object.keys(ERRORS.invalid_symbol.fields.shape)).toEqual(["symbol", "hint"]);
  expect(Object.keys(ERRORS.validation_error.fields.shape)).toEqual(["issues"]);
});

test("a refusal carries its code and fields", () => {
  const refusal = refused("plan_gated", { tier: "free", required_tier: "pro" });
  expect(refusal).toEqual({ code: "plan_gated", detail: { tier: "free", required_tier: "pro" } });
  expect(refused("not_found").detail).toEqual({});
});
