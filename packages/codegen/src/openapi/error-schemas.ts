/** A schema per error code, and an example of each. */
import { ERROR_CODES, ERRORS, type ErrorCode, type ErrorEntry, errorBody, SYMBOL_HINT } from "@assay/contract";
import { z } from "zod";
import type { Json } from "./types.ts";

/** The component name of a code's body: ErrorInvalidSymbol. */
export const schemaName = (code: ErrorCode): string =>
  `Error${code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;

/** The body of every code. */
export const errorSchemas = (): Record<string, Json> =>
  Object.fromEntries(
    ERROR_CODES.map((code) => {
      const { $schema: _, ...schema } = z.toJSONSchema(errorBody(code), { io: "input" });
      return [schemaName(code), { ...schema, title: code, description: ERRORS[code].condition }];
    }),
  );

const LIMIT_WINDOWS: Partial<Record<ErrorCode, { limit: number; window: string; reset: string; wait: number }>> = {
  rate_limited: { limit: 100, window: "hour", wait: 3393, reset: "2026-11-20T15:00:00Z" },
  rate_limit_exceeded: { limit: 10, window: "minute", wait: 33, reset: "2026-11-20T14:04:00Z" },
  quota_exceeded: { limit: 5000, window: "month", wait: 899_793, reset: "2026-12-01T00:00:00Z" },
};

const fieldsOf = (code: ErrorCode): Json => {
  const window = LIMIT_WINDOWS[code];
  if (window) return { limit: window.limit, window: window.window, retry_after_seconds: window.wait, reset_at: window.reset };
  if (code === "plan_gated") return { tier: "free", required_tier: "pro" };
  if (code === "invalid_symbol") return { symbol: "GOLDUSD", hint: SYMBOL_HINT };
  if (code === "validation_error") {
    return { issues: [{ path: ["query", "limit"], code: "too_big", message: "Too big: expected int to be <=10000" }] };
  }
  return {};
};

/** An example body. */
export const errorExample = (code: ErrorCode): Json => {
  const entry: ErrorEntry = ERRORS[code];
  return { error: code, message: entry.message, request_id: "4f1c2a0e-8d5b-4c58-9a59-2a2b1d6c7e11", ...fieldsOf(code) };
};
