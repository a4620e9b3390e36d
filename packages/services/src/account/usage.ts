/** GET /v1/account/usage: metered calls of the organisation, by UTC calendar, and the key's open streams. */
import { type AssayContract, formatTimestamp, type Verb } from "@assay/contract";
import { type Limits, monthEnd } from "../access/limits.ts";
import type { ServiceDeps, VerbContext } from "../context.ts";
import { requireKey } from "./caller-key.ts";
import { usageByDay } from "./usage-days.ts";

/** Reads the exact counts, and the stored ones of earlier days. */
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
      resets_at: formatTimestamp(new Date(monthEnd(nowMs))),
      days: await usageByDay({ store, log }, orgId, counts.today, nowMs),
    };
  };
