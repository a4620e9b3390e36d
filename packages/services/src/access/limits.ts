/** Rate limits and quotas: counts every request against its windows per minute, hour and month. */

import { DAY_MS, type ErrorDetail, HOUR_MS, MINUTE_MS, TIER_NAMES, type TierName } from "@assay/contract";
import { readUsage } from "@assay/db";
import type { Reservation, UsageReading } from "@assay/live";
import { utcDay } from "@assay/pricing";
import { after, type FailCounted } from "../call.ts";
import type { Caller, CallerKey, ServiceDeps } from "../context.ts";
import { type Allowance, exceeded, LIMIT_CODES, type LimitCode } from "./allowance.ts";

/** Requests per minute and address on light routes, and for requests with a bad key. */
const LIGHT_PER_MINUTE = 60;
const BAD_KEYS_PER_MINUTE = 20;

/** How many times counts are loaded for one call: an engine may evict them again. */
const MOST_LOADS = 3;

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

/** A tier, or callers without a key. */
type CallerTier = TierName | "keyless";

interface TierCounts {
  calls: number;
  readonly refused: Record<LimitCode, number>;
}

/** Calls and refusals by tier since the start, for the operator's metrics. */
class UsageCounts {
  readonly #tiers: ReadonlyMap<CallerTier, TierCounts> = new Map(
    (["keyless", ...TIER_NAMES] as const).map((tier) => [
      tier,
      { calls: 0, refused: { rate_limited: 0, rate_limit_exceeded: 0, quota_exceeded: 0 } },
    ]),
  );

  called(tier: CallerTier): void {
    const counts = this.#tiers.get(tier);
    if (counts) counts.calls += 1;
  }

  refused(tier: CallerTier, code: LimitCode): void {
    const counts = this.#tiers.get(tier);
    if (counts) counts.refused[code] += 1;
  }

  /** As figures: calls by tier, and refusals by tier and code. */
  read() {
    const calls = { name: "assay_calls_total", help: "Calls counted against a limit, by tier" };
    const refused = { name: "assay_limited_calls_total", help: "Calls refused by a limit, by tier and code" };
    return [...this.#tiers].flatMap(([tier, counts]) => [
      { ...calls, kind: "counter" as const, labels: { tier }, value: counts.calls },
      ...LIMIT_CODES.map((code) => ({
        ...refused,
        kind: "counter" as const,
        labels: { tier, code },
        value: counts.refused[code],
      })),
    ]);
  }
}

/** Counts requests against their windows. */
export class Limits {
  readonly #deps: Pick<ServiceDeps, "live" | "store" | "catalog" | "log">;
  readonly counts = new UsageCounts();

  constructor(deps: Pick<ServiceDeps, "live" | "store" | "catalog" | "log">) {
    this.#deps = deps;
  }

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
        return after(usage ?? this.#reserveLoading(orgId, day, quota), (counted) => {
          const month = this.#month(quota, counted, nowMs);
          if (!counted.allowed) this.#refuse(tier, fail, "quota_exceeded", exceeded("month", month, nowMs), { minute, month });
          return { minute, month, refund: () => this.#refund(orgId, day) };
        });
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

  #refund(orgId: string, day: string): void {
    Promise.resolve(this.#deps.live.counters.refund(orgId, day)).catch((error: unknown) =>
      this.#deps.log.error({ err: error, orgId }, "failed to refund a metered call"),
    );
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
