/** How often a caller may ask: windows per minute, hour and month, and the headers that tell of them. */
import { formatTimestamp, Refusal } from "@assay/contract";
import { readUsage } from "@assay/db";
import type { LimitReading, Reservation, UsageReading } from "@assay/live";
import type { Caller, ServiceDeps } from "../context.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Requests a minute and address on routes that are cheap but not free, and for requests with a bad key. */
const LIGHT_PER_MINUTE = 60;
const BAD_KEYS_PER_MINUTE = 20;

/** How often counts are loaded for one call: an engine may lose them again. */
const MOST_LOADS = 3;

/** The state of the windows a request was counted against. */
export interface Allowance {
  readonly minute: LimitReading;
  readonly hour?: LimitReading;
  readonly month?: { readonly limit: number; readonly remaining: number; readonly resetInMs: number; readonly lengthMs: number };
  /** Takes the metered call back. */
  readonly refund?: () => void;
}

/** Takes a metered call back and tells of the month without it. */
export const refunded = (allowance: Allowance): Allowance => {
  const { refund, month, ...windows } = allowance;
  if (!refund || !month) return allowance;
  refund();
  return { ...windows, month: { ...month, remaining: Math.min(month.limit, month.remaining + 1) } };
};

type Window = "minute" | "hour" | "month";

const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
let calendar = { day: "", dayEndMs: 0, monthEndMs: 0, monthMs: 0 };

/** The UTC calendar at an instant; worked out once a day. */
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

/** When the caller's month of quota begins anew, epoch milliseconds. */
export const monthEnd = (nowMs: number): number => calendarAt(nowMs).monthEndMs;

const allowances = new WeakMap<Refusal, Allowance>();

/** Notes which windows a refused request was counted against. */
export const withAllowance = (refusal: Refusal, allowance: Allowance): Refusal => {
  allowances.set(refusal, allowance);
  return refusal;
};

/** A refusal of the limits. */
export const exceeded = (
  code: "rate_limited" | "rate_limit_exceeded" | "quota_exceeded",
  window: Window,
  reading: { limit: number; resetInMs: number },
  nowMs: number,
  allowance: Allowance,
): Refusal => {
  const refusal = new Refusal(code, {
    limit: reading.limit,
    window,
    retry_after_seconds: Math.max(1, Math.ceil(reading.resetInMs / 1000)),
    reset_at: formatTimestamp(new Date(nowMs + reading.resetInMs)),
  });
  return withAllowance(refusal, allowance);
};

/** The windows a refused request was counted against, for its headers. */
export const allowanceOf = (refusal: Refusal): Allowance | undefined => allowances.get(refusal);

/** Counts requests against their windows. */
export class Limits {
  readonly #deps: Pick<ServiceDeps, "live" | "store" | "catalog" | "log">;

  constructor(deps: Pick<ServiceDeps, "live" | "store" | "catalog" | "log">) {
    this.#deps = deps;
  }

  /** Counts a request on a light route. */
  async light(ip: string, nowMs: number): Promise<Allowance> {
    return this.#perAddress(`light:${ip}`, LIGHT_PER_MINUTE, nowMs);
  }

  /** Counts a request with a bad key, apart from everybody else at the address. */
  async badKey(ip: string, nowMs: number): Promise<Allowance> {
    return this.#perAddress(`bad-key:${ip}`, BAD_KEYS_PER_MINUTE, nowMs);
  }

  async #perAddress(key: string, limit: number, nowMs: number): Promise<Allowance> {
    const minute = await this.#deps.live.limiter.consume(key, limit, MINUTE_MS);
    if (!minute.allowed) throw exceeded("rate_limit_exceeded", "minute", minute, nowMs, { minute });
    return { minute };
  }

  /**
   * Counts a request on a standard route.
   * @throws Refusal rate_limited, rate_limit_exceeded or quota_exceeded
   */
  check(caller: Caller, metered: boolean, nowMs: number): Promise<Allowance> {
    return caller.key ? this.#keyed(caller, caller.key.orgId, metered, nowMs) : this.#keyless(caller.ip, nowMs);
  }

  async #keyless(ip: string, nowMs: number): Promise<Allowance> {
    const { limiter } = this.#deps.live;
    const { perMinute, perHour } = this.#deps.catalog.keyless;
    const before = await limiter.peek(`hour:${ip}`, perHour, HOUR_MS);
    const minuteKey = `minute:${ip}`;
    if (!before.allowed) {
      const minute = await limiter.peek(minuteKey, perMinute, MINUTE_MS);
      throw exceeded("rate_limited", "hour", before, nowMs, { minute, hour: before });
    }
    const minute = await limiter.consume(minuteKey, perMinute, MINUTE_MS);
    if (!minute.allowed) throw exceeded("rate_limit_exceeded", "minute", minute, nowMs, { minute, hour: before });
    const hour = await limiter.consume(`hour:${ip}`, perHour, HOUR_MS);
    if (!hour.allowed) throw exceeded("rate_limited", "hour", hour, nowMs, { minute, hour });
    return { minute, hour };
  }

  async #keyed(caller: Caller, orgId: string, metered: boolean, nowMs: number): Promise<Allowance> {
    const { limiter } = this.#deps.live;
    const { rate_limit_per_minute: perMinute, monthly_quota: quota } = this.#deps.catalog.tiers[caller.tier];
    const minute = await limiter.consume(`org:${orgId}`, perMinute, MINUTE_MS);
    if (!minute.allowed) {
      const month = this.#month(quota, await this.usage(orgId, nowMs), nowMs);
      throw exceeded("rate_limit_exceeded", "minute", minute, nowMs, { minute, month });
    }
    const usage = metered ? await this.#reserve(orgId, quota, nowMs) : await this.usage(orgId, nowMs);
    return this.#settle(orgId, quota, minute, usage, metered, nowMs);
  }

  /** Counts a metered call. Only where the store cannot be read it is counted without what is stored. */
  async #reserve(orgId: string, quota: number, nowMs: number): Promise<Reservation> {
    const { counters } = this.#deps.live;
    const { day } = calendarAt(nowMs);
    for (let turn = 0; turn < MOST_LOADS; turn += 1) {
      const counted = await counters.reserveLoaded(orgId, day, quota);
      if (counted) return counted;
      if (!(await this.#load(orgId, day))) break;
    }
    return counters.reserve(orgId, day, quota);
  }

  #settle(
    orgId: string,
    quota: number,
    minute: LimitReading,
    usage: UsageReading & Partial<Reservation>,
    metered: boolean,
    nowMs: number,
  ): Allowance {
    const month = this.#month(quota, usage, nowMs);
    if (usage.allowed === false) throw exceeded("quota_exceeded", "month", month, nowMs, { minute, month });
    if (!metered) return { minute, month };
    const { day } = calendarAt(nowMs);
    return {
      minute,
      month,
      refund: () => {
        Promise.resolve(this.#deps.live.counters.refund(orgId, day)).catch((error: unknown) =>
          this.#deps.log.error({ err: error, orgId }, "a metered call was not taken back"),
        );
      },
    };
  }

  #month(quota: number, usage: UsageReading, nowMs: number) {
    const { monthEndMs, monthMs } = calendarAt(nowMs);
    return { limit: quota, remaining: Math.max(0, quota - usage.thisMonth), resetInMs: monthEndMs - nowMs, lengthMs: monthMs };
  }

  /** The organisation's counts, stored ones included. */
  async usage(orgId: string, nowMs: number): Promise<UsageReading> {
    const { counters } = this.#deps.live;
    const { day } = calendarAt(nowMs);
    if (!(await counters.isSeeded(orgId, day))) await this.#load(orgId, day);
    return counters.read(orgId, day);
  }

  /** Loads an organisation's stored counts; false when the store does not answer. */
  async #load(orgId: string, day: string): Promise<boolean> {
    try {
      await this.#deps.live.counters.seed(orgId, day, () => readUsage(this.#deps.store, orgId, day));
      return true;
    } catch (error) {
      this.#deps.log.error({ err: error, orgId }, "stored usage cannot be read; counting goes on without it");
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

/** The policies last written, by the minute's limit: they change with the tier and the month, not from request to request. */
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
 * The header values that tell a caller of its windows.
 * @returns X-RateLimit-* speak of the window that refused or else of the minute; RateLimit of all
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
