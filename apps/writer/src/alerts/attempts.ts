/**
 * Tries to deliver an event: how many an organisation may have in a minute, when the next one is due, and whether the endpoint is
 * given up.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@assay/contract";
import type { DeliveryResult, DueDelivery } from "@assay/db";
import type { Posted } from "./receiver.ts";

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

/** Why an endpoint is disabled. */
const DISABLED = { gone: "gone", failing: "failing" } as const;

/**
 * Judges a try.
 * @param random from 0 up to 1
 */
export const outcomeOf = (
  due: Pick<DueDelivery, "id" | "endpointId" | "failingSinceMs" | "isDeleted" | "tries">,
  posted: NonNullable<Posted>,
  atMs: number,
  random: number,
): DeliveryResult => {
  const { id, endpointId, failingSinceMs, tries } = due;
  const httpStatus = "httpStatus" in posted ? posted.httpStatus : null;
  const base = { id, endpointId, atMs, httpStatus, nextTryAtMs: null };
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300)
    return { ...base, status: "delivered", error: null, disables: null };
  const word = httpStatus !== null && httpStatus >= 300 && httpStatus < 400 ? "redirect" : "status";
  const error = "fault" in posted ? posted.fault : word;
  if (httpStatus === GONE) return { ...base, status: "failed", error, disables: DISABLED.gone };
  const hasFailedLong = failingSinceMs !== null && atMs - failingSinceMs >= GIVE_UP_AFTER_MS;
  if (hasFailedLong) return { ...base, status: "failed", error, disables: DISABLED.failing };
  const delayMs = RETRY_DELAYS_MS[tries];
  if (delayMs === undefined) return { ...base, status: "failed", error, disables: null };
  const jitteredMs = delayMs * (1 - JITTER + 2 * JITTER * random);
  return { ...base, status: "pending", nextTryAtMs: Math.round(atMs + jitteredMs), error, disables: null };
};
