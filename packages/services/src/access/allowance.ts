/** What a request has left of its limits: the windows it was counted against, and how its answer reports them. */
import { type ErrorDetail, formatDeadline } from "@assay/contract";
import type { LimitReading } from "@assay/live";

export const LIMIT_CODES = ["rate_limited", "rate_limit_exceeded", "quota_exceeded"] as const;
export type LimitCode = (typeof LIMIT_CODES)[number];

type Window = "minute" | "hour" | "month";

/** The state of the windows a request was counted against. */
export interface Allowance {
  readonly minute: LimitReading;
  readonly hour?: LimitReading;
  readonly month?: { readonly limit: number; readonly remaining: number; readonly resetInMs: number; readonly lengthMs: number };
  readonly refund?: () => void;
}

/** Refunds a metered call and reports the month without it. */
export const refunded = (allowance: Allowance): Allowance => {
  const { refund, month, ...windows } = allowance;
  if (!refund || !month) return allowance;
  refund();
  return { ...windows, month: { ...month, remaining: Math.min(month.limit, month.remaining + 1) } };
};

/** What the body says about an exhausted window. */
export const exceeded = (
  window: Window,
  reading: { readonly limit: number; readonly resetInMs: number },
  nowMs: number,
): ErrorDetail<LimitCode> => ({
  limit: reading.limit,
  window,
  retry_after_seconds: Math.max(1, Math.ceil(reading.resetInMs / 1000)),
  reset_at: formatDeadline(nowMs + reading.resetInMs),
});

interface Policy {
  readonly hour: number | undefined;
  readonly month: number | undefined;
  readonly lengthMs: number | undefined;
  readonly text: string;
}

/** The last policy headers built, by the minute's limit: they change with the tier and the month, not per request. */
const policies = new Map<number, Policy>();

const policyOf = ({ minute, hour, month }: Allowance): string => {
  const known = policies.get(minute.limit);
  if (known && known.hour === hour?.limit && known.month === month?.limit && known.lengthMs === month?.lengthMs)
    return known.text;
  let text = `"minute";q=${minute.limit};w=60`;
  if (hour) text += `, "hour";q=${hour.limit};w=3600`;
  if (month) text += `, "month";q=${month.limit};w=${month.lengthMs / 1000}`;
  policies.set(minute.limit, { hour: hour?.limit, month: month?.limit, lengthMs: month?.lengthMs, text });
  return text;
};

const seconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));

/**
 * The header values that report a caller's windows.
 * @returns X-RateLimit-* describe the window that refused, or else the minute; RateLimit describes all
 */
export const limitHeaders = (allowance: Allowance, nowMs: number, window: Window = "minute"): Record<string, string> => {
  const { minute, hour, month } = allowance;
  const reported = (window === "month" ? month : window === "hour" ? hour : minute) ?? minute;
  let state = `"minute";r=${minute.remaining};t=${seconds(minute.resetInMs)}`;
  if (hour) state += `, "hour";r=${hour.remaining};t=${seconds(hour.resetInMs)}`;
  if (month) state += `, "month";r=${month.remaining};t=${seconds(month.resetInMs)}`;
  return {
    "X-RateLimit-Limit": String(reported.limit),
    "X-RateLimit-Remaining": String(reported.remaining),
    "X-RateLimit-Reset": String(Math.ceil((nowMs + reported.resetInMs) / 1000)),
    "RateLimit-Policy": policyOf(allowance),
    RateLimit: state,
  };
};
