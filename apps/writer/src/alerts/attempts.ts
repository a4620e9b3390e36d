/**
 * Tries to deliver an event: how many an organisation may have in a minute, whether it may have this one, when the next try is due,
 * and whether the endpoint is given up.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, TIER_REACH, type TierCatalog } from "@assay/contract";
import type { DeliveryResult, OutgoingDelivery } from "@assay/db";
import { alertPaused, ownerPaused, readPriceSymbol } from "@assay/pricing";
import type { PostResult } from "./receiver.ts";

interface Bucket {
  left: number;
  atMs: number;
}

/** How many deliveries each organisation may have: as many a minute as its tier has requests, in a bucket that refills. */
export class Allowance {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Takes one delivery of an organisation.
   * @param perMinute what its tier allows, and what a full bucket holds
   * @returns whether it may be sent now
   */
  take(orgId: string, perMinute: number, nowMs: number): boolean {
    const bucket = this.#buckets.get(orgId) ?? { left: perMinute, atMs: nowMs };
    const refilled = (Math.max(0, nowMs - bucket.atMs) / MINUTE_MS) * perMinute;
    bucket.left = Math.min(perMinute, bucket.left + refilled);
    bucket.atMs = nowMs;
    this.#buckets.set(orgId, bucket);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  /** Gives back one that was not sent. */
  giveBack(orgId: string): void {
    const bucket = this.#buckets.get(orgId);
    if (bucket) bucket.left += 1;
  }
}

/** How long after each failed try the next one is due; after the last, the delivery has failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
];

/** A delay is longer or shorter by up to this share, so that what failed together does not come back together. */
const JITTER = 0.1;

/** An endpoint that has failed for so long is disabled. */
export const GIVE_UP_AFTER_MS = 7 * DAY_MS;

/** The status by which a receiver says that it wants no more. */
const GONE = 410;

const DISABLED = { gone: "gone", failing: "failing" } as const;

/** When the price of an event was computed, epoch milliseconds; NaN for one without a price. */
const computedAtMs = (payload: string): number => {
  const { data }: { data?: { computed_at?: string } } = JSON.parse(payload); // written by the judge, or a test event
  return Date.parse(data?.computed_at ?? "");
};

/**
 * What becomes of an event that may not be sent now: its endpoint is gone, or its owner may not have it, or not yet.
 * @returns null when it may be sent
 */
export const withheld = (
  { id, endpointId, isDeleted, owner, alert, payload }: OutgoingDelivery,
  catalog: Pick<TierCatalog, "tiers">,
  atMs: number,
): DeliveryResult | null => {
  const base = { id, endpointId, atMs, isTry: false, httpStatus: null, nextTryAtMs: null, disables: null } as const;
  const reading = alert && readPriceSymbol(alert.symbol);
  const symbol = reading?.kind === "known" ? reading.entry : null;
  const paused = alert ? alertPaused(catalog, owner, { symbol, older: alert.older }, atMs) : ownerPaused(owner, atMs);
  const error = isDeleted ? "deleted" : paused;
  if (error !== null) return { ...base, status: "failed", error };
  // Its owner sees prices later than when it fired.
  const fromMs = computedAtMs(payload) + TIER_REACH[owner.tier].delayMs;
  return fromMs > atMs ? { ...base, status: "pending", nextTryAtMs: fromMs, error: null } : null;
};

/**
 * Judges a try.
 * @param random from 0 up to 1
 */
export const outcomeOf = (
  due: Pick<OutgoingDelivery, "id" | "endpointId" | "failingSinceMs" | "tries">,
  result: NonNullable<PostResult>,
  atMs: number,
  random: number,
): DeliveryResult => {
  const { id, endpointId, failingSinceMs, tries } = due;
  const httpStatus = "httpStatus" in result ? result.httpStatus : null;
  const base = { id, endpointId, atMs, isTry: true, httpStatus, nextTryAtMs: null };
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300)
    return { ...base, status: "delivered", error: null, disables: null };
  const word = httpStatus !== null && httpStatus >= 300 && httpStatus < 400 ? "redirect" : "status";
  const error = "fault" in result ? result.fault : word;
  if (httpStatus === GONE) return { ...base, status: "failed", error, disables: DISABLED.gone };
  const hasFailedLong = failingSinceMs !== null && atMs - failingSinceMs >= GIVE_UP_AFTER_MS;
  if (hasFailedLong) return { ...base, status: "failed", error, disables: DISABLED.failing };
  const delayMs = RETRY_DELAYS_MS[tries];
  if (delayMs === undefined) return { ...base, status: "failed", error, disables: null };
  const jitteredMs = delayMs * (1 - JITTER + 2 * JITTER * random);
  return { ...base, status: "pending", nextTryAtMs: Math.round(atMs + jitteredMs), error, disables: null };
};
