/** Rate limits and quotas: windows per minute, hour and month, and the headers that report them. */
import { DAY_MS, type ErrorDetail, formatTimestamp, HOUR_MS, MINUTE_MS, type TierName } from "@assay/contract";
import { readUsage } from "@assay/db";
import type { LimitReading, Reservation, UsageReading } from "@assay/live";
import { after } from "../after.ts";
import type { Caller, CallerKey, ServiceDeps } from "../context.ts";
import { type CallerTier, type LimitCode, UsageCounts } from "./usage-counts.ts";

/** Requests per minute and address on light routes, and for requests with a bad key. */
const LIGHT_PER_MINUTE = 60;
const BAD_KEYS_PER_MINUTE = 20;

/** How many times counts are loaded for one call: an engine may evict them again. */
const MOST_LOADS = 3;

/** The state of the windows a request was counted against. */
export interface Allowance {
  readonly minute: LimitReading;
  readonly hour?: LimitReading;
  readonly month?: { readonly limit: number; readonly remaining: number; readonly resetInMs: number; readonly lengthMs: number };
  /** Refunds the metered call. */
  readonly refund?: () => void;
}

/** Refunds a metered call and reports the month without it. */
export const refunded = (allowance: Allowance): Allowance => {
  const { refund, month, ...windows } = allowance;
  if (!refund || !month) return allowance;
  refund();
  return { ...windows, month: { ...month, remaining: Math.min(month.limit, month.remaining + 1) } };
};

type Window = "minute" | "hour" | "month";

const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
let calendar = { day: "", dayEndMs: 0, monthEndMs: 0, monthMs: 0 };

/** The UTC calendar at an instant; computed once a day. */
const calendarAt = (nowMs: number): typeof calendar => {
  if (nowMs >= calendar.dayEndMs || nowMs < calendar.dayEndMs - DAY_MS) {
    const now = new Date(nowMs);
    const monthStartMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
    const monthEndMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    calendar = {
      day: utcDay(nowMs),
      dayEndMs: Math.floor(nowMs / DAY_MS + 1) * DAY_MS,
      monthEndMs,
      monthMs: monthEndMs - monthStartMs,
    };
  }
  return calendar;
};

/** When the caller's monthly quota resets, epoch milliseconds. */
export const monthEnd = (nowMs: number): number => calendarAt(nowMs).monthEndMs;

/** Refuses over a limit, with the windows the request was counted against, which the answer's headers report. */
export type FailCounted = (code: LimitCode, detail: ErrorDetail<LimitCode>, allowance: Allowance) => never;

/** What the body says about an exhausted window. */
export const exceeded = (
  window: Window,
  reading: { readonly limit: number; readonly resetInMs: number },
  nowMs: number,
): ErrorDetail<LimitCode> => ({
  limit: reading.limit,
  window,
  retry_after_seconds: Math.max(1, Math.ceil(reading.resetInMs / 1000)),
  reset_at: formatTimestamp(new Date(nowMs + reading.resetInMs)),
});

/** Counts requests against their windows. */
export class Limits {
  readonly #deps: Pick<ServiceDeps, "live" | "store" | "catalog" | "log">;
  /** Calls by tier since the start. */
  readonly counts = new UsageCounts();

  constructor(deps: Pick<ServiceDeps, "live" | "store" | "catalog" | "log">) {
    this.#deps = deps;
  }

  /** Counts a request on a light route. */
  light(ip: string, nowMs: number, fail: FailCounted): Allowance | Promise<Allowance> {
    return this.#perAddress(`light:${ip}`, LIGHT_PER_MINUTE, nowMs, fail);
  }

  /** Counts a request with a bad key, separately from other requests of the address. */
  badKey(ip: string, nowMs: number, fail: FailCounted): Allowance | Promise<Allowance> {
    return this.#perAddress(`bad-key:${ip}`, BAD_KEYS_PER_MINUTE, nowMs, fail);
  }

  #perAddress(key: string, limit: number, nowMs: number, fail: FailCounted): Allowance | Promise<Allowance> {
    return after(this.#deps.live.admissions.admit([{ key, limit, windowMs: MINUTE_MS }], null), ({ windows: [minute] }) =>
      minute.allowed ? { minute } : fail("rate_limit_exceeded", exceeded("minute", minute, nowMs), { minute }),
    );
  }

  /**
   * Counts a request on a standard route.
   * @param fail receives rate_limited, rate_limit_exceeded and quota_exceeded
   */
  check(caller: Caller, metered: boolean, nowMs: number, fail: FailCounted): Allowance | Promise<Allowance> {
    this.counts.called(caller.key ? caller.tier : "keyless");
    return caller.key ? this.#keyed(caller.tier, caller.key, metered, nowMs, fail) : this.#keyless(caller.ip, nowMs, fail);
  }

  #refuse(
    tier: CallerTier,
    fail: FailCounted,
    ...[code, detail, allowance]: [LimitCode, ErrorDetail<LimitCode>, Allowance]
  ): never {
    this.counts.refused(tier, code);
    return fail(code, detail, allowance);
  }

  #keyless(ip: string, nowMs: number, fail: FailCounted): Allowance | Promise<Allowance> {
    const { perMinute, perHour } = this.#deps.catalog.keyless;
    const windows = [
      { key: `minute:${ip}`, limit: perMinute, windowMs: MINUTE_MS },
      { key: `hour:${ip}`, limit: perHour, windowMs: HOUR_MS },
    ] as const;
    return after(this.#deps.live.admissions.admit(windows, null), ({ windows: [minute, hour] }) => {
      const allowance = { minute, hour };
      if (!hour.allowed) this.#refuse("keyless", fail, "rate_limited", exceeded("hour", hour, nowMs), allowance);
      if (!minute.allowed) this.#refuse("keyless", fail, "rate_limit_exceeded", exceeded("minute", minute, nowMs), allowance);
      return allowance;
    });
  }

  #keyed(
    tier: TierName,
    { orgId, limitKey }: CallerKey,
    metered: boolean,
    nowMs: number,
    fail: FailCounted,
  ): Allowance | Promise<Allowance> {
    const { rate_limit_per_minute: perMinute, monthly_quota: quota } = this.#deps.catalog.tiers[tier];
    const { day } = calendarAt(nowMs);
    const window = { key: limitKey, limit: perMinute, windowMs: MINUTE_MS };
    const month = { orgId, day, quota, isMetered: metered };
    return after(this.#deps.live.admissions.admit([window], month), ({ windows: [minute], usage }) => {
      if (minute.allowed && metered) {
        // Without the stored counts it is counted only while the store is unavailable.
        return after(usage ?? this.#reserveLoading(orgId, day, quota), (counted) =>
          this.#reserved(tier, orgId, quota, minute, counted, nowMs, fail),
        );
      }
      return after<UsageReading, Allowance>(usage ?? this.usage(orgId, nowMs), (counts) => {
        const month = this.#month(quota, counts, nowMs);
        if (!minute.allowed)
          this.#refuse(tier, fail, "rate_limit_exceeded", exceeded("minute", minute, nowMs), { minute, month });
        return { minute, month };
      });
    });
  }

  async #reserveLoading(orgId: string, day: string, quota: number): Promise<Reservation> {
    const { counters } = this.#deps.live;
    for (let turn = 0; turn < MOST_LOADS && (await this.#load(orgId, day)); turn += 1) {
      const counted = await counters.reserveLoaded(orgId, day, quota);
      if (counted) return counted;
    }
    return counters.reserve(orgId, day, quota);
  }

  #reserved(
    tier: TierName,
    orgId: string,
    quota: number,
    minute: LimitReading,
    usage: Reservation,
    nowMs: number,
    fail: FailCounted,
  ): Allowance {
    const month = this.#month(quota, usage, nowMs);
    if (!usage.allowed) return this.#refuse(tier, fail, "quota_exceeded", exceeded("month", month, nowMs), { minute, month });
    const { day } = calendarAt(nowMs);
    return {
      minute,
      month,
      refund: () => {
        Promise.resolve(this.#deps.live.counters.refund(orgId, day)).catch((error: unknown) =>
          this.#deps.log.error({ err: error, orgId }, "failed to refund a metered call"),
        );
      },
    };
  }

  #month(quota: number, usage: UsageReading, nowMs: number) {
    const { monthEndMs, monthMs } = calendarAt(nowMs);
    return { limit: quota, remaining: Math.max(0, quota - usage.thisMonth), resetInMs: monthEndMs - nowMs, lengthMs: monthMs };
  }

  /** The organisation's counts, stored ones included. */
  usage(orgId: string, nowMs: number): UsageReading | Promise<UsageReading> {
    const { counters } = this.#deps.live;
    const { day } = calendarAt(nowMs);
    return after(counters.isSeeded(orgId, day), (isLoaded) =>
      after(isLoaded || this.#load(orgId, day), () => counters.read(orgId, day)),
    );
  }

  /** Loads an organisation's stored counts; false when the database does not respond. */
  async #load(orgId: string, day: string): Promise<boolean> {
    try {
      await this.#deps.live.counters.seed(orgId, day, () => readUsage(this.#deps.store, orgId, day));
      return true;
    } catch (error) {
      this.#deps.log.error({ err: error, orgId }, "failed to load stored usage; counting continues without it");
      return false;
    }
  }
}

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
  const told = (window === "month" ? month : window === "hour" ? hour : minute) ?? minute;
  let state = `"minute";r=${minute.remaining};t=${seconds(minute.resetInMs)}`;
  if (hour) state += `, "hour";r=${hour.remaining};t=${seconds(hour.resetInMs)}`;
  if (month) state += `, "month";r=${month.remaining};t=${seconds(month.resetInMs)}`;
  return {
    "X-RateLimit-Limit": String(told.limit),
    "X-RateLimit-Remaining": String(told.remaining),
    "X-RateLimit-Reset": String(Math.ceil((nowMs + told.resetInMs) / 1000)),
    "RateLimit-Policy": policyOf(allowance),
    RateLimit: state,
  };
};
