/** An organisation's own keys, and its usage. */

import { type AssayContract, formatTimestamp, MAX_LIVE_KEYS, type OutputOf, shownSecond, type Verb } from "@assay/contract";
import { revokeKey as endKey, readEarlierDays, listKeys as readKeys, rotateKey, StoreUnavailableError } from "@assay/db";
import { utcDay } from "@assay/pricing";
import { earlierEnd, GRACE_MS } from "../access/key-lifecycle.ts";
import { type Limits, monthEnd } from "../access/limits.ts";
import { type AnnounceKey, listedKey, mintedKey, newKey, requireKey } from "../account/keys.ts";
import { retryOf } from "../account/retry.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { isId } from "../input.ts";

/** `GET /v1/account/keys`: lists active keys and keys in grace, newest first. */
export const listKeys =
  ({ store }: Pick<ServiceDeps, "store">): Verb<AssayContract["account"]["listKeys"], VerbContext> =>
  async (_input, { caller, nowMs }) => {
    const { orgId } = requireKey(caller);
    const keys = await readKeys(store, { orgId, liveAtMs: nowMs });
    return keys.map(listedKey);
  };

/**
 * `POST /v1/account/keys`: mints a new key and puts the calling one in grace, so that each key mints once; a retry under the same
 * Idempotency-Key gets an identical answer.
 */
export const mintKey =
  (
    { store, random }: Pick<ServiceDeps, "store" | "random">,
    announce: AnnounceKey,
  ): Verb<AssayContract["account"]["mintKey"], VerbContext> =>
  async ({ name }, context) => {
    const { caller, nowMs, fail } = context;
    const key = requireKey(caller);
    const made = newKey({ orgId: key.orgId, name: name ?? "default", expiresAtMs: key.expiresAtMs }, nowMs, random);
    const graceUntilMs = earlierEnd(shownSecond(nowMs + GRACE_MS), key.expiresAtMs) ?? nowMs;
    const retry = retryOf(context, [name ?? null], mintedKey(made, graceUntilMs), random);
    const result = await rotateKey(store, {
      callerKeyId: key.id,
      newKey: made.row,
      graceUntilMs,
      mostKeys: MAX_LIVE_KEYS,
      ...(retry.answer ? { idempotency: retry.answer } : {}),
    });
    if (result.kind === "limit_reached") return fail("key_limit_reached");
    if (result.kind === "caller_revoked") return fail("invalid_api_key");
    if (result.kind === "caller_in_grace") return fail("key_in_grace");
    if (result.kind === "replayed") return retry.replay(result.answer);
    await Promise.all([announce(made.row.keyHash, null), announce(key.hash, graceUntilMs)]);
    return retry.made;
  };

/** `DELETE /v1/account/keys/{key_id}`: revokes a key of the caller's organisation, without grace. */
export const revokeKey =
  ({ store }: Pick<ServiceDeps, "store">, announce: AnnounceKey): Verb<AssayContract["account"]["revokeKey"], VerbContext> =>
  async ({ key_id: id }, { caller, nowMs, fail }) => {
    const { orgId } = requireKey(caller);
    if (!isId(id)) return fail("key_not_found");
    const revoked = await endKey(store, { id, orgId, atMs: nowMs });
    if (!revoked) return fail("key_not_found");
    await announce(revoked.keyHash, revoked.revokedAtMs);
    return undefined;
  };

type Days = OutputOf<AssayContract["account"]["usage"]>["days"];

/** The UTC days of a month up to one of them, oldest first. */
const daysUntil = (day: string): string[] =>
  Array.from({ length: Number(day.slice(8)) }, (_, at) => `${day.slice(0, 8)}${String(at + 1).padStart(2, "0")}`);

/**
 * The month by day: today as counted, earlier days as stored.
 * @param today the calls counted today, which include those that are not stored yet
 * @returns every day up to today, oldest first; null while the store does not respond
 */
export const usageByDay = async (
  { store, log }: Pick<ServiceDeps, "store" | "log">,
  orgId: string,
  today: number,
  nowMs: number,
): Promise<Days> => {
  const day = utcDay(nowMs);
  try {
    const stored = await readEarlierDays(store, orgId, day);
    const calls = new Map(stored.map((one) => [one.day, one.calls])).set(day, today);
    return daysUntil(day).map((date) => ({ date, calls: Math.max(0, calls.get(date) ?? 0) }));
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    log.warn({ err: error, orgId }, "failed to read usage by day; answering without it");
    return null;
  }
};

/** `GET /v1/account/usage`: reads the exact counts, and the stored ones of earlier days. */
export const usage =
  (
    { live, catalog, store, log }: Pick<ServiceDeps, "live" | "catalog" | "store" | "log">,
    limits: Limits,
  ): Verb<AssayContract["account"]["usage"], VerbContext> =>
  async (_input, { caller, nowMs }) => {
    const { orgId, id } = requireKey(caller);
    const counts = await limits.usage(orgId, nowMs);
    const tier = catalog.tiers[caller.tier];
    const streams = tier.max_concurrent_streams;
    return {
      calls_today: counts.today,
      calls_this_month: counts.thisMonth,
      active_streams: streams === 0 ? null : await live.places.count({ keyId: id, orgId }),
      max_streams: streams === 0 ? null : streams,
      tier: caller.tier,
      monthly_quota: tier.monthly_quota,
      remaining_this_month: Math.max(0, tier.monthly_quota - counts.thisMonth),
      resets_at: formatTimestamp(monthEnd(nowMs)),
      days: await usageByDay({ store, log }, orgId, counts.today, nowMs),
    };
  };
